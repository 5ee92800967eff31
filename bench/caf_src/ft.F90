! The 3-D FFT of the NAS benchmarks (NPB's report of 1991, section FT), class S, W or A, by images in a grid of p * q. x is transformed
! where it is; y after a transposition among the p images that have the same z; z after one among the q that have the same x. "1" is a
! grid of 1 * n (slabs, one exchange), "2" the one nearest to a square. How blocks are exchanged: coarray puts, one image after the other
! (as it is), Weft's alltoall (WITH_SHMEM, slabs only), MPI_Alltoall (WITH_MPI, no coarrays). Checked by NPB's sums. Prints
! "figure,0,runs of all iterations a second,1/s".
program ft
#ifdef WITH_MPI
  use mpi
#endif
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer, parameter :: batch = 16
  integer(int64), parameter :: factor = 1220703125
  real(real64), parameter :: pi = 3.14159265358979323846_real64
  integer :: me, n, nx, ny, nz, p, q, i0, j0, iterations, iteration, turn
  ! What has x, y and z in one piece; `decay`: how a mode decays in one step.
  complex(real64), allocatable :: ax(:, :, :), ay(:, :, :), az(:, :, :), mode(:, :, :), decay(:, :, :), roots(:)
  ! Blocks: to the others, and from them in the first exchange and the second.
#ifdef WITH_MPI
  complex(real64), allocatable :: out(:), in(:, :)
  integer :: ierr, group(2)
#else
  complex(real64), allocatable :: out(:)[:], in(:, :)[:]
#endif
#ifdef WITH_SHMEM
  interface
    subroutine ft_exchange(to, from, bytes) bind(c)
      use iso_c_binding, only: c_size_t
      import :: real64
      complex(real64), intent(inout) :: to(*)
      complex(real64), intent(in) :: from(*)
      integer(c_size_t), value :: bytes
    end subroutine
  end interface
#endif
  real(real64) :: begin, took, moving, best, best_moving
  complex(real64) :: sums(0:25)
  character(len=1) :: class, dimensions
  call start()
  call get_command_argument(1, class)
  call get_command_argument(2, dimensions)
  select case (class)
  case ('S'); nx = 64; ny = 64; nz = 64; iterations = 6
  case ('W'); nx = 128; ny = 128; nz = 32; iterations = 6
  case default; nx = 256; ny = 256; nz = 128; iterations = 6
  end select
  p = 1
  if (dimensions == '2') p = maxval([(merge(turn, 1, mod(n, turn) == 0 .and. turn * turn <= n), turn=1, n)])
  q = n / p
  i0 = mod(me - 1, p); j0 = (me - 1) / p
  allocate (ax(nx, ny / p, nz / q), ay(ny, nx / p, nz / q), az(nz, ny / q, nx / p), roots(0:max(nx, ny, nz) - 1))
  allocate (mode, decay, mold=az)
#ifdef WITH_MPI
  allocate (out(size(az)), in(size(az), 2))
  call mpi_comm_split(MPI_COMM_WORLD, j0, i0, group(1), ierr)
  call mpi_comm_split(MPI_COMM_WORLD, i0, j0, group(2), ierr)
#else
  allocate (out(nx * (ny / p) * (nz / q))[*], in(nx * (ny / p) * (nz / q), 2)[*])
#endif
  best = 1e9; best_moving = 1e9
  do turn = 1, merge(1, 3, class == 'A')
    moving = 0
    call fill()
    call meet()
    begin = now()
    call forward()
    do iteration = 1, iterations
      mode = mode * decay
      call backward()
      sums(iteration) = checksum()
    end do
    call meet()
    took = now() - begin
    best = min(best, took); best_moving = min(best_moving, moving)
  end do
  if (me == 1) then
    if (abs(sums(1) - first_sum()) > 1e-8 * abs(first_sum())) then
      print '(a,4es22.13)', 'ft: wrong sum ', sums(1), first_sum()
      stop 1
    end if
    print '(5a,es13.6,a)', 'ft', dimensions, '_', class, ',0,', 1 / best, ',1/s'
    print '(5a,es13.6,a)', 'ft', dimensions, '_', class, '_exchange,0,', 1 / best_moving, ',1/s'
    print '(a)', 'done,0,0,'
  end if
#ifdef WITH_MPI
  call mpi_finalize(ierr)
#endif
contains
  subroutine start()
#ifdef WITH_MPI
    call mpi_init(ierr)
    call mpi_comm_rank(MPI_COMM_WORLD, me, ierr); me = me + 1
    call mpi_comm_size(MPI_COMM_WORLD, n, ierr)
#else
    me = this_image(); n = num_images()
#endif
  end subroutine

  subroutine meet()
#ifdef WITH_MPI
    call mpi_barrier(MPI_COMM_WORLD, ierr)
#else
    sync all
#endif
  end subroutine

  real(real64) function now()
    integer(int64) :: count, per_second
    call system_clock(count, per_second)
    now = real(count, real64) / real(per_second, real64)
  end function

  complex(real64) function first_sum() ! as NPB has them
    select case (class)
    case ('S'); first_sum = (5.546087004964d+02, 4.845363331978d+02)
    case ('W'); first_sum = (5.673612178944d+02, 5.293246849175d+02)
    case default; first_sum = (5.046735008193d+02, 5.114047905510d+02)
    end select
  end function

  ! ---- the numbers ----

  pure integer(int64) function times46(a, b) ! modulo 2**46
    integer(int64), intent(in) :: a, b
    integer(int64), parameter :: half = 2_int64**23
    times46 = mod(mod(mod(a / half * mod(b, half) + mod(a, half) * (b / half), half) * half, half * half) &
                  + mod(a, half) * mod(b, half), half * half)
  end function

  pure integer(int64) function number_before(at) ! the last of `at` random numbers
    integer(int64), value :: at
    integer(int64) :: power
    number_before = 314159265; power = factor
    do while (at > 0)
      if (mod(at, 2_int64) == 1) number_before = times46(number_before, power)
      power = times46(power, power)
      at = at / 2
    end do
  end function

  subroutine fill()
    integer(int64) :: x
    integer :: i, j, k, part
    real(real64) :: numbers(2)
    do k = 1, size(ax, 3)
      do j = 1, size(ax, 2)
        x = number_before(2_int64 * nx * (int(j0 * size(ax, 3) + k - 1, int64) * ny + i0 * size(ax, 2) + j - 1))
        do i = 1, nx
          do part = 1, 2
            x = times46(x, factor)
            numbers(part) = real(x, real64) * 2d0**(-46)
          end do
          ax(i, j, k) = cmplx(numbers(1), numbers(2), real64)
        end do
      end do
    end do
    do i = 1, size(az, 3)
      do j = 1, size(az, 2)
        do k = 1, nz
          decay(k, j, i) = exp(-4d-6 * pi * pi * (frequency(i0 * size(az, 3) + i - 1, nx)**2 + &
                                                  frequency(j0 * size(az, 2) + j - 1, ny)**2 + frequency(k - 1, nz)**2))
        end do
      end do
    end do
    do i = 0, size(roots) - 1
      roots(i) = exp(cmplx(0, 2 * pi * i / size(roots), real64))
    end do
  end subroutine

  pure real(real64) function frequency(i, n)
    integer, intent(in) :: i, n
    frequency = mod(i + n / 2, n) - n / 2
  end function

  ! ---- transforms ----

  ! Stockham's, of `batch` rows at once.
  subroutine transform(x, length, sign)
    complex(real64), intent(inout) :: x(batch, 0:*)
    integer, intent(in) :: length, sign
    complex(real64) :: y(batch, 0:length - 1), w
    integer :: half, groups, j, k, step
    half = length / 2; groups = 1
    do while (half >= 1)
      step = size(roots) / (2 * half)
      do j = 0, half - 1
        w = roots(j * step)
        if (sign < 0) w = conjg(w)
        do k = 0, groups - 1
          y(:, k + 2 * j * groups) = x(:, k + j * groups) + x(:, k + (j + half) * groups)
          y(:, k + (2 * j + 1) * groups) = w * (x(:, k + j * groups) - x(:, k + (j + half) * groups))
        end do
      end do
      x(:, 0:length - 1) = y
      half = half / 2; groups = 2 * groups
    end do
  end subroutine

  ! Along the first dimension of all rows.
  subroutine rows(x, length, count, sign)
    integer, intent(in) :: length, count, sign
    complex(real64), intent(inout) :: x(length, count)
    complex(real64) :: work(batch, length)
    integer :: i
    do i = 1, count, batch
      work = transpose(x(:, i:i + batch - 1))
      call transform(work, length, sign)
      x(:, i:i + batch - 1) = transpose(work)
    end do
  end subroutine

  ! All but the exchange of blocks is the same for all.
  subroutine forward()
    call rows(ax, nx, size(ax) / nx, -1)
    call exchange(1, p, i0, ax, ay, .true.)
    call rows(ay, ny, size(ay) / ny, -1)
    call exchange(2, q, j0, ay, mode, .true.)
    call rows(mode, nz, size(mode) / nz, -1)
    call meet() ! `in` has been read
  end subroutine

  subroutine backward()
    az = mode
    call rows(az, nz, size(az) / nz, 1)
    call exchange(2, q, j0, ay, az, .false.)
    call rows(ay, ny, size(ay) / ny, 1)
    call exchange(1, p, i0, ax, ay, .false.)
    call rows(ax, nx, size(ax) / nx, 1)
  end subroutine

  complex(real64) function checksum()
    integer :: j, x, y, z
    checksum = 0
    do j = 1, 1024
      x = mod(j, nx); y = mod(3 * j, ny) - i0 * size(ax, 2); z = mod(5 * j, nz) - j0 * size(ax, 3)
      if (y >= 0 .and. y < size(ax, 2) .and. z >= 0 .and. z < size(ax, 3)) checksum = checksum + ax(x + 1, y + 1, z + 1)
    end do
    checksum = checksum / (real(nx, real64) * ny * nz)
#ifdef WITH_MPI
    call mpi_allreduce(MPI_IN_PLACE, checksum, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr)
#else
    call co_sum(checksum)
#endif
  end function

  ! ---- blocks from all to all ----

  ! Exchange 1 or 2, among `of` images of which this is number `mine`: `apart` has the parts of one direction in its first dimension, one
  ! for each image, and `whole` gets all of another direction there; or the other way. Who goes first differs, so that not all put
  ! to one.
  subroutine exchange(which, of, mine, apart, whole, forth)
    integer, intent(in) :: which, of, mine
    complex(real64), intent(inout) :: apart(:, :, :), whole(:, :, :)
    logical, intent(in) :: forth
    integer :: k, other, length, low, high
    length = size(whole) / of
    if (of == 1 .and. which == 1) then
      call move_part(whole, apart, 0, which, shape(whole), .not. forth)
      return
    end if
    do k = 0, of - 1
      other = mod(mine + k, of)
      low = other * length + 1; high = low + length - 1
      if (forth) then
        call move_part(out(low:high), apart, other, which, shape(whole) / [of, 1, 1], .false.)
      else
        call move_rows(out(low:high), whole, other, shape(whole) / [of, 1, 1], .false.)
      end if
      call send(which, merge(j0 * p + other, other * p + i0, which == 1) + 1, mine * length, other * length, length)
    end do
    call receive(which, length)
    do other = 0, of - 1
      low = other * length + 1; high = low + length - 1
      if (forth) then
        call move_rows(in(low:high, which), whole, other, shape(whole) / [of, 1, 1], .true.)
      else
        call move_part(in(low:high, which), apart, other, which, shape(whole) / [of, 1, 1], .true.)
      end if
    end do
  end subroutine

  ! Between a block and the part of `apart` that belongs to an image: transposed.
  subroutine move_part(block, apart, other, which, extent, back)
    integer, intent(in) :: other, which, extent(3)
    complex(real64), intent(inout) :: block(extent(1), extent(2), extent(3)), apart(:, :, :)
    logical, intent(in) :: back
    integer :: j, k, low, high
    low = other * extent(2) + 1; high = low + extent(2) - 1
    do k = 1, size(apart, 3)
      do j = 1, size(apart, 2)
        if (which == 1 .and. back) apart(low:high, j, k) = block(j, :, k)
        if (which == 1 .and. .not. back) block(j, :, k) = apart(low:high, j, k)
        if (which == 2 .and. back) apart(low:high, j, k) = block(k, :, j)
        if (which == 2 .and. .not. back) block(k, :, j) = apart(low:high, j, k)
      end do
    end do
  end subroutine

  ! Between a block and the image's part of all rows of `whole`.
  subroutine move_rows(block, whole, other, extent, back)
    integer, intent(in) :: other, extent(3)
    complex(real64), intent(inout) :: block(extent(1), extent(2), extent(3)), whole(:, :, :)
    logical, intent(in) :: back
    if (back) then
      whole(other * extent(1) + 1:(other + 1) * extent(1), :, :) = block
    else
      block = whole(other * extent(1) + 1:(other + 1) * extent(1), :, :)
    end if
  end subroutine

  ! The block is packed: a put goes on while the next is packed.
  subroutine send(which, image, to, from, length)
    integer, intent(in) :: which, image, to, from, length
#if !defined WITH_MPI && !defined WITH_SHMEM
    real(real64) :: before
    before = now()
    in(to + 1:to + length, which)[image] = out(from + 1:from + length)
    moving = moving + now() - before
#endif
  end subroutine

  subroutine receive(which, length)
    integer, intent(in) :: which, length
    real(real64) :: before
    before = now()
#if defined WITH_MPI
    call mpi_alltoall(out, 2 * length, MPI_DOUBLE_PRECISION, in(:, which), 2 * length, MPI_DOUBLE_PRECISION, group(which), ierr)
#elif defined WITH_SHMEM
    call ft_exchange(in(:, which), out, 16_int64 * length)
#else
    sync all
#endif
    moving = moving + now() - before
  end subroutine
end program
