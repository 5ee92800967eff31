! Coarrays of over 2 GB on every image: elements and sections beyond and across 2 GB (trap 23). Memory is touched only
! where it must be. Skipped where less than 6 GB of memory are free.
program large
  use iso_fortran_env, only: int64
  implicit none
  integer(int64), parameter :: half = 2_int64**28, n = half + 2**17 + 3, far = 2_int64**24 ! of 8 bytes
  integer(int64), allocatable :: x(:)[:]
  integer(int64) :: i, got(2001), strided(1429), wide(17)
  integer :: me, you
  logical :: enough[*]
  me = this_image(); you = 1 + mod(me, num_images())
  enough = memory_free() > 6_int64 * 2**20
  sync all
  if (.not. enough[1]) stop 77, quiet=.true.
  allocate (x(n)[*])
  x(n)[you] = me
  x(half-1000:half+1000)[you] = [(me * 10000 + i, i=1, 2001)]
  sync all
  call check(x(n) == before(), 'last element put')
  call check(x(n)[you] == me, 'last element got')
  call check(all(x(half-1000:half+1000) == [(before() * 10000 + i, i=1, 2001)]), 'put across 2 GB')
  got = x(half-1000:half+1000)[you]
  call check(all(got == [(me * 10000 + i, i=1, 2001)]), 'get across 2 GB')
  sync all
  x(half+5000:half-5000:-7)[you] = [(me * 10000 - i, i=1, 1429)]
  x(n:1:-far)[you] = [(me * 100 + i, i=1, 17)]
  sync all
  call check(all(x(half+5000:half-5000:-7) == [(before() * 10000 - i, i=1, 1429)]), 'strided put across 2 GB')
  call check(all(x(n:1:-far) == [(before() * 100 + i, i=1, 17)]), 'put with strides of 128 MB')
  strided = x(half+5000:half-5000:-7)[you]
  call check(all(strided == [(me * 10000 - i, i=1, 1429)]), 'strided get across 2 GB')
  wide = x(n:1:-far)[you]
  call check(all(wide == [(me * 100 + i, i=1, 17)]), 'get with strides of 128 MB')
  sync all
  deallocate (x)
contains
  integer function before()
    before = 1 + mod(me - 2 + num_images(), num_images())
  end function
  ! In KB.
  integer(int64) function memory_free()
    character(len=80) :: line
    integer :: unit, stat
    memory_free = 0
    open (newunit=unit, file='/proc/meminfo', action='read', iostat=stat)
    if (stat /= 0) return
    do while (stat == 0 .and. memory_free == 0)
      read (unit, '(a)', iostat=stat) line
      if (stat == 0 .and. line(1:13) == 'MemAvailable:') read (line(14:index(line, 'kB') - 1), *) memory_free
    end do
    close (unit)
  end function
  include 'check.inc'
end program
