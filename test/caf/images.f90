! Images, static coarrays that constructors register before main, allocation and its sizes (traps 1, 3, 13).
module globals
  implicit none
  integer, save :: counter[*] = 17
  real, save :: table(3,2)[*] = reshape([1., 2., 3., 4., 5., 6.], [3, 2])
  character(len=5), save :: name[*] = 'weft'
end module
program images
  use globals
  implicit none
  integer :: me, n, i, istat
  integer, save :: plain[*]
  integer, allocatable :: a(:)[:], z(:)[:], moved(:)[:], grid(:,:)[:,:]
  me = this_image()
  n = num_images()
  call check(me >= 1 .and. me <= n, 'this_image')
  call check(counter[n] == 17 .and. table(2,2)[n] == 5. .and. name[n] == 'weft', 'initial values')
  sync all
  counter = 100 + me
  plain[1 + mod(me, n)] = me
  sync all
  call check(plain == merge(n, me - 1, me == 1), 'put to the next')
  do i = 1, n
    call check(counter[i] == 100 + i, 'get of a static scalar')
  end do
  call check(this_image(plain, 1) == me .and. image_index(plain, [n]) == n, 'cosubscripts')
  allocate (a(0:9)[*], stat=istat)
  call check(istat == 0 .and. allocated(a) .and. lbound(a, 1) == 0, 'allocate')
  a = [(me * 10 + i, i=0, 9)]
  sync all
  call check(all(a(:)[n] == [(n * 10 + i, i=0, 9)]), 'whole get')
  call check(a(3)[n] == n * 10 + 3, 'element get')
  sync all
  allocate (z(5:4)[*])
  call check(allocated(z) .and. size(z) == 0 .and. size(z(:)[n]) == 0, 'zero size')
  call move_alloc(a, moved)
  call check(.not. allocated(a) .and. moved(9)[n] == n * 10 + 9, 'moved coarray')
  deallocate (moved, z)
  allocate (grid(2,3)[2,*])
  grid = me
  sync all
  call check(all(grid(:, 2:3)[1, 1] == 1), 'two codimensions')
  call local(me, n)
  call local(me, n)
  sync all
contains
  ! Deregistered by the compiler at return.
  subroutine local(me, n)
    integer, intent(in) :: me, n
    real, allocatable :: x(:)[:]
    allocate (x(4)[*], source=real(me))
    call check(x(4)[n] == real(n), 'local coarray')
    sync all
  end subroutine
  include 'check.inc'
end program
