! The 3-D FFT of the NAS benchmarks (NPB's report of 1991, section FT), class S, W or A, in slabs: x and y are transformed where they are, z
! after a transposition of all. How that is exchanged: coarray puts, one image after the other (as it is), Weft's alltoall (WITH_SHMEM),
! MPI_Alltoall (WITH_MPI, no coarrays). Checked by NPB's sums. Prints "figure,0,runs of all iterations a second,1/s".
program ft
#ifdef WITH_MPI
  use mpi
#endif
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  integer, parameter :: batch = 16
  real(real64), parameter :: pi = 3.14159265358979323846_real64
  integer :: me, n, nx, ny, nz, nyl, nzl, iterations, iteration, turn
  complex(real64), allocatable :: slab(:, :, :), turned(:, :, :), mode(:, :, :), roots(:)
#ifdef WITH_MPI
  complex(real64), allocatable :: out(:, :), in(:, :)
  integer :: ierr
#else
  complex(real64), allocatable :: out(:, :)[:], in(:, :)[:]
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
  character(len=1) :: class
  call start()
  call get_command_argument(1, class)
  select case (class)
  case ('S'); nx = 64; ny = 64; nz = 64; iterations = 6
  case ('W'); nx = 128; ny = 128; nz = 32; iterations = 6
  case default; nx = 256; ny = 256; nz = 128; iterations = 6
  end select
  nyl = ny / n; nzl = nz / n
  allocate (slab(nx, ny, nzl), turned(nz, nx, nyl), mode(nz, nx, nyl), roots(0:max(nx, ny, nz) - 1))
#ifdef WITH_MPI
  allocate (out(nzl * nx * nyl, n), in(nzl * nx * nyl, n))
#else
  allocate (out(nzl * nx * nyl, n)[*], in(nzl * nx * nyl, n)[*])
#endif
  best = 1e9; best_moving = 1e9
  do turn = 1, merge(1, 3, class == 'A')
    moving = 0
    call fill()
    call meet()
    begin = now()
    call forward()
    do iteration = 1, iterations
      mode = mode * turned
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
    print '(3a,es13.6,a)', 'ft_', class, ',0,', 1 / best, ',1/s'
    print '(3a,es13.6,a)', 'ft_', class, '_exchange,0,', 1 / best_moving, ',1/s'
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

  subroutine fill()
    integer(int64), parameter :: factor = 1220703125
    integer(int64) :: x, power, left
    integer :: i, j, k, part
    real(real64) :: numbers(2), wave, kx, ky, kz
    x = 314159265; power = factor
    left = int(me - 1, int64) * nzl * 2 * nx * ny ! numbers of the slabs before mine
    do while (left > 0)
      if (mod(left, 2_int64) == 1) x = times46(x, power)
      power = times46(power, power)
      left = left / 2
    end do
    do k = 1, nzl
      do j = 1, ny
        do i = 1, nx
          do part = 1, 2
            x = times46(x, factor)
            numbers(part) = real(x, real64) * 2d0**(-46)
          end do
          slab(i, j, k) = cmplx(numbers(1), numbers(2), real64)
        end do
      end do
    end do
    ! turned: how a mode decays in one step
    do j = 1, nyl
      ky = frequency((me - 1) * nyl + j - 1, ny)
      do i = 1, nx
        kx = frequency(i - 1, nx)
        do k = 1, nz
          kz = frequency(k - 1, nz)
          wave = kx * kx + ky * ky + kz * kz
          turned(k, i, j) = exp(-4d-6 * pi * pi * wave)
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

  subroutine columns(sign) ! y of the slab
    integer, intent(in) :: sign
    complex(real64) :: work(batch, ny)
    integer :: i, k
    do k = 1, nzl
      do i = 1, nx, batch
        work = slab(i:i + batch - 1, :, k)
        call transform(work, ny, sign)
        slab(i:i + batch - 1, :, k) = work
      end do
    end do
  end subroutine

  ! Of the slab into `mode`, z first; all but the exchange of blocks is the same for all.
  subroutine forward()
    complex(real64), allocatable :: decay(:, :, :)
    integer :: other, j
    call rows(slab, nx, ny * nzl, -1)
    call columns(-1)
    allocate (decay, source=turned)
    do j = 0, n - 1
      other = 1 + mod(me - 1 + j, n)
      call pack_slab(out(:, other), other)
      call send(other)
    end do
    call receive()
    do other = 1, n
      call unpack_mode(in(:, other), other)
    end do
    call rows(mode, nz, nx * nyl, -1)
    turned = decay
    call meet() ! `in` has been read
  end subroutine

  ! A copy of `mode` back into the slab.
  subroutine backward()
    complex(real64), allocatable :: copy(:, :, :)
    integer :: other, j
    allocate (copy, source=mode)
    call rows(copy, nz, nx * nyl, 1)
    do j = 0, n - 1
      other = 1 + mod(me - 1 + j, n)
      call pack_mode(copy, out(:, other), other)
      call send(other)
    end do
    call receive()
    do other = 1, n
      call unpack_slab(in(:, other), other)
    end do
    call columns(1)
    call rows(slab, nx, ny * nzl, 1)
  end subroutine

  subroutine pack_slab(block, other)
    integer, intent(in) :: other
    complex(real64), intent(out) :: block(nzl, nx, nyl)
    integer :: j, k
    do j = 1, nyl
      do k = 1, nzl
        block(k, :, j) = slab(:, (other - 1) * nyl + j, k)
      end do
    end do
  end subroutine

  subroutine unpack_mode(block, other)
    integer, intent(in) :: other
    complex(real64), intent(in) :: block(nzl, nx, nyl)
    mode((other - 1) * nzl + 1:other * nzl, :, :) = block
  end subroutine

  subroutine pack_mode(copy, block, other)
    complex(real64), intent(in) :: copy(nz, nx, nyl)
    integer, intent(in) :: other
    complex(real64), intent(out) :: block(nzl, nx, nyl)
    block = copy((other - 1) * nzl + 1:other * nzl, :, :)
  end subroutine

  subroutine unpack_slab(block, other)
    integer, intent(in) :: other
    complex(real64), intent(in) :: block(nzl, nx, nyl)
    integer :: j, k
    do k = 1, nzl
      do j = 1, nyl
        slab(:, (other - 1) * nyl + j, k) = block(k, :, j)
      end do
    end do
  end subroutine

  complex(real64) function checksum()
    integer :: j, x, y, z
    checksum = 0
    do j = 1, 1024
      x = mod(j, nx); y = mod(3 * j, ny); z = mod(5 * j, nz)
      if (z / nzl == me - 1) checksum = checksum + slab(x + 1, y + 1, mod(z, nzl) + 1)
    end do
    checksum = checksum / (real(nx, real64) * ny * nz)
#ifdef WITH_MPI
    call mpi_allreduce(MPI_IN_PLACE, checksum, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr)
#else
    call co_sum(checksum)
#endif
  end function

  ! ---- blocks from all to all ----

  ! The block is packed: a put goes on while the next is packed.
  subroutine send(other)
    integer, intent(in) :: other
#if !defined WITH_MPI && !defined WITH_SHMEM
    real(real64) :: before
    before = now()
    in(:, me)[other] = out(:, other)
    moving = moving + now() - before
#endif
  end subroutine

  subroutine receive()
    real(real64) :: before
    before = now()
#if defined WITH_MPI
    call mpi_alltoall(out, 2 * size(out, 1), MPI_DOUBLE_PRECISION, in, 2 * size(out, 1), MPI_DOUBLE_PRECISION, &
                      MPI_COMM_WORLD, ierr)
#elif defined WITH_SHMEM
    call ft_exchange(in, out, 16_int64 * size(out, 1))
#else
    sync all
#endif
    moving = moving + now() - before
  end subroutine
end program
