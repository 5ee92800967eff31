! Allocatable and pointer components on other images: nested, reallocated, moved, assigned, freed by free(), pointers to
! anything of their owner's, missing links (traps 2, 4, 5, 6, 15).
module types
  implicit none
  type leaf
    integer :: tag = 0
    real(8), allocatable :: v(:)
  end type
  type page ! longer than a request
    integer :: line(10000)
  end type
  type node
    integer :: k
    integer, allocatable :: s
    real, allocatable :: a(:), m(:, :)
    type(leaf), allocatable :: leaves(:)
    real, pointer :: p(:) => null()
    type(node), pointer :: next => null()
    character(len=7), allocatable :: words(:)
    type(page), pointer :: pages(:) => null()
  end type
end module
program components
  use types
  implicit none
  type(node), save :: st[*]
  type(node), allocatable :: c[:]
  type(node), save :: many(3)[*] ! gfortran 12 loses the descriptor of an allocatable one
  real, target, save :: ordinary(9)
  real, pointer :: heap(:)
  type(page), pointer :: paper(:)
  type(page) :: copy
  type(node), pointer :: other
  real, allocatable :: r(:), moved(:), big(:)
  integer :: me, you, n, i, round, istat
  me = this_image(); n = num_images()
  you = 1 + mod(me, n)
  allocate (c[*])
  call check(.not. allocated(c%a) .and. .not. associated(c%p), 'nothing at first')
  c%k = me
  allocate (c%s); c%s = me * 2
  allocate (c%a(0:me + 2)); c%a = [(me * 10. + i, i=0, me + 2)]
  allocate (c%m(2, 3)); c%m = reshape([(real(me * 100 + i), i=1, 6)], [2, 3])
  allocate (c%leaves(2)); c%leaves%tag = [me, -me]
  allocate (c%leaves(2)%v(3)); c%leaves(2)%v = me + [0.25d0, 0.5d0, 0.75d0]
  allocate (c%words(2)); c%words = ['alpha  ', 'beta   ']
  ordinary = [(me * 1000. + i, i=1, 9)]
  c%p => ordinary(2:8:2)
  allocate (other); other%k = me + 50
  allocate (other%a(3)); other%a = me
  c%next => other
  sync all
  call check(c[you]%s == 2 * you, 'scalar component')
  call check(c[you]%a(2) == you * 10. + 2, 'element')
  r = c[you]%a
  call check(size(r) == you + 3 .and. r(you + 3) == you * 10. + you + 2, 'whole component to an allocatable')
  call check(all(c[you]%a(2:0:-1) == [(you * 10. + i, i=2, 0, -1)]), 'section')
  call check(all(c[you]%a(2:1) == 2 * c[you]%m(2, 3:2)), 'no elements, for which the compiler takes no memory')
  call check(all(c[you]%m(2, :) == [(real(you * 100 + i), i=2, 6, 2)]), 'row of a matrix')
  call check(c[you]%leaves(1)%tag == you, 'component of an element')
  call check(all(c[you]%leaves(2)%v(:) == you + [0.25d0, 0.5d0, 0.75d0]), 'two links')
  call check(c[you]%words(2) == 'beta', 'characters')
  call check(all(c[you]%p == [(you * 1000. + i, i=2, 8, 2)]), 'pointer to an ordinary variable, strided')
  call check(c[you]%next%k == you + 50, 'pointer')
  call check(all(c[you]%next%a(:) == you), 'component behind a pointer')
  sync all
  ! put
  c[you]%s = me
  c[you]%a(1:2) = [me, me + 1]
  c[you]%leaves(2)%v(3) = -me
  c[you]%next%a(2) = 7
  c[you]%p(4) = me * 0.5
  c[you]%m(:, 2) = 9
  c[you]%words(1) = 'gamma and more'
  sync all
  i = merge(n, me - 1, me == 1)
  call check(c%s == i .and. all(c%a(1:2) == [i, i + 1]) .and. c%leaves(2)%v(3) == -i, 'puts')
  call check(c%next%a(2) == 7 .and. ordinary(8) == i * 0.5 .and. all(c%m(:, 2) == 9), 'puts behind pointers')
  call check(c%words(1) == 'gamma a', 'characters cut')
  sync all
  if (me == 1) c[n]%m(1, 1:2) = c[1]%a(1:2)
  sync all
  if (me == n) call check(all(c%m(1, 1:2) == [n, n + 1]), 'from one image to another')
  sync all
  ! presence, and references that lead nowhere
  call check(allocated(c[you]%a), 'allocated there')
  call check(.not. allocated(st[you]%a), 'not allocated there')
  st%k = me
  sync all
  ! freed by free() and allocated again and again
  do round = 1, 50
    c%a = [(real(round), i=1, mod(round, 5) + 1)]
  end do
  allocate (moved(4)); moved = me
  call move_alloc(moved, c%a)      ! memory of malloc becomes the component
  sync all
  call check(all(c[you]%a(:) == you), 'moved into the component')
  sync all
  call move_alloc(c%a, moved)      ! and the component's memory an ordinary variable's
  deallocate (moved)
  call check(.not. allocated(c%a), 'moved out')
  allocate (c%a(2)); c%a = me
  allocate (heap(3)); heap = me + 0.5
  c%p => heap
  sync all
  call check(all(c[you]%p(:) == you + 0.5), 'pointer to memory of malloc')
  call check(all(c[you]%a == you), 'allocated again')
  allocate (paper(2)); paper(2)%line = [(me * 100000 + i, i=1, 10000)]
  c%pages => paper
  sync all
  copy = c[you]%pages(2)
  call check(all(copy%line == [(you * 100000 + i, i=1, 10000)]), 'an element longer than a request, of malloc')
  copy%line = -copy%line
  sync all
  c[you]%pages(1) = copy
  sync all
  call check(all(paper(1)%line == [(-me * 100000 - i, i=1, 10000)]), 'and put')
  deallocate (paper)
  deallocate (heap)
  ! a large one, contiguous and not
  deallocate (c%a); allocate (c%a(100000)); c%a = [(me + i * 0.5, i=1, 100000)]
  sync all
  big = c[you]%a(1:100000:3)
  call check(all(big == [(you + i * 0.5, i=1, 100000, 3)]), 'large and strided')
  sync all
  if (me == 1) c[n]%a(5:99999:2) = [(real(i), i=5, 99999, 2)]
  sync all
  if (me == n) call check(all(c%a(5:99999:2) == [(real(i), i=5, 99999, 2)]), 'large and strided put')
  ! allocated there by an assignment from here
  deallocate (c%a)
  sync all
  c[you]%a = [3., 1., 4.]
  sync all
  call check(allocated(c%a) .and. size(c%a) == 3 .and. all(c%a == [3., 1., 4.]), 'allocated from afar')
  c[you]%m = reshape([(real(me * i), i=1, 6)], [3, 2])
  sync all
  call check(all(shape(c%m) == [3, 2]), 'as many elements in another shape')
  call check(all(c%m(3, :) == [3, 6] * merge(n, me - 1, me == 1)), 'and what they are')
  c%a = [c%a, 1., 5.]
  call check(size(c%a) == 5 .and. c%a(5) == 5., 'and grown here')
  sync all
  ! an array of such objects
  allocate (many(2)%a(me + 1)); many(2)%a = me
  sync all
  call check(all(many(2)[you]%a == you), 'element of an array of objects')
  sync all
  deallocate (c)
contains
  include 'check.inc'
end program
