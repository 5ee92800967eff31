! Heat in a plate, on as many images as there are: every image has a strip of columns, and puts its outer columns into its
! neighbours' halo. The result is compared with the same steps of the whole plate on one image, and is a picture.
!   caf -O2 heat.f90 -o heat && cafrun -n 4 ./heat [FILE.ppm]
program heat
  use iso_fortran_env, only: int64, real64
  implicit none
  integer, parameter :: n = 256, steps = 400
  real(real64), allocatable :: u(:,:)[:], old(:,:), whole(:,:), before(:,:)
  integer, allocatable :: neighbours(:)
  integer :: me, images, most, first, mine, i, step
  integer(int64) :: begun, ended, rate
  character(len=500) :: file
  me = this_image(); images = num_images()
  most = (n + images - 1) / images
  first = min(n, (me - 1) * most)              ! columns before mine
  mine = min(n, me * most) - first
  neighbours = pack([me - 1, me + 1], [me > 1, me < images])
  allocate (u(0:n+1, 0:most+1)[*])
  allocate (old(0:n+1, 0:most+1))
  call heated(u, first)
  sync all
  call system_clock(begun, rate)
  do step = 1, steps
    if (mine > 0 .and. me > 1)          u(:, most+1)[me-1] = u(:, 1)
    if (mine == most .and. me < images) u(:, 0)[me+1]      = u(:, most)
    sync images (neighbours)
    old = u
    call advance(u, old, mine, first)
    sync images (neighbours)
  end do
  call system_clock(ended)
  sync all
  if (me == 1) then
    allocate (whole(0:n+1, 0:n+1), before(0:n+1, 0:n+1))
    call heated(whole, 0)
    do step = 1, steps
      before = whole
      call advance(whole, before, n, 0)
    end do
    before = 0
    do i = 1, images
      associate (from => min(n, (i - 1) * most), to => min(n, i * most))
        before(:, from+1:to) = u(:, 1:to-from)[i]
      end associate
    end do
    if (any(before(1:n, 1:n) /= whole(1:n, 1:n))) error stop 'the images and the one plate differ'
    print '(a,i0,a,i0,a,i0,a,f6.3,a)', 'heat: ', n, ' x ', n, ' points, ', steps, ' steps: as on one image; ', &
      real(ended - begun, real64) / real(rate, real64), ' s'
    call get_command_argument(1, file)
    if (file /= '') call picture(trim(file), whole(1:n, 1:n))
  end if
contains
  ! A hot disk in a cold plate, and a warm lower edge; `before`: columns left of this part.
  subroutine heated(a, before)
    real(real64), intent(out) :: a(0:, 0:)
    integer, intent(in) :: before
    integer :: x, y
    do y = 0, ubound(a, 2)
      do x = 0, ubound(a, 1)
        a(x, y) = merge(1.0_real64, 0.0_real64, (x - n / 2)**2 + (y + before - n / 3)**2 < (n / 8)**2)
        if (x == n + 1) a(x, y) = 0.5_real64
      end do
    end do
  end subroutine
  subroutine advance(to, from, columns, before)
    real(real64), intent(inout) :: to(0:, 0:)
    real(real64), intent(in) :: from(0:, 0:)
    integer, intent(in) :: columns, before
    integer :: x, y
    do y = 1, columns
      do x = 1, n
        to(x, y) = from(x, y) + 0.2_real64 * (from(x-1, y) + from(x+1, y) + from(x, y-1) + from(x, y+1) - 4 * from(x, y))
      end do
    end do
    if (before + columns == n .and. columns > 0) to(:, columns+1) = from(:, columns+1)
  end subroutine
  ! Black over red and yellow to white.
  subroutine picture(name, a)
    character(len=*), intent(in) :: name
    real(real64), intent(in) :: a(:, :)
    integer :: unit, x, y, level, i
    open (newunit=unit, file=name, access='stream', form='unformatted', status='replace')
    write (unit) 'P6 256 256 255' // achar(10)
    do x = 1, n
      do y = 1, n
        level = nint(765 * min(1.0_real64, 1.5_real64 * a(x, y)))
        write (unit) (achar(max(0, min(255, level - 255 * i))), i = 0, 2)
      end do
    end do
    close (unit)
  end subroutine
end program
