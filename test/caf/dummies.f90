! Coarray dummy arguments: other bounds than the actual argument's, another shape, a part of it, under the same token. Get, put,
! components and atomics; with WEFT_CHECK=1 too, which may judge no index by the bounds of the actual argument. (gfortran 12 takes
! no lock or event for a dummy, whatever its intent.)
module procedures
  use iso_fortran_env
  implicit none
  type part
    integer :: k, row(5)
    integer, allocatable :: a(:)
  end type
  integer :: me, n, you, before ! you: the next image, before: the one that has this one for the next
contains
  subroutine shifted(x, low)
    integer :: x(:)[*], low(-3:)[*] ! box(0:9) both times, values i + 100 * image at index i of it
    integer :: got(10)
    got(1) = x(10)[you]; call check(got(1) == 9 + 100 * you, 'an element behind the upper bound of the actual argument')
    got(1) = low(-3)[you]; call check(got(1) == 100 * you, 'an element before its lower bound')
    got(1:1) = x([10])[you]; call check(got(1) == 9 + 100 * you, 'a vector subscript')
    got(1:3) = low([6, -3, 0])[you]; call check(all(got(1:3) == [9, 0, 3] + 100 * you), 'with a lower bound')
    got(1:4) = x(10:1:-3)[you]; call check(all(got(1:4) == [9, 6, 3, 0] + 100 * you), 'a section')
    got = x(:)[you]; call check(all(got - 100 * you == low - 100 * me), 'all of it')
  end subroutine
  subroutine reshaped(x, t, z)
    integer :: x(100)[*], t(5, 20)[*], z(2:, 3:)[*] ! plane(10, 10), i + 10 * (j - 1) + 1000 * image at i, j
    integer :: got(51), i
    got = x(5:55)[you]; call check(all(got == [(i, i=5, 55)] + 1000 * you), 'a section across columns')
    got(1:3) = x([100, 1, 57])[you]; call check(all(got(1:3) == [100, 1, 57] + 1000 * you), 'a vector subscript of rank 1')
    got(1:20) = t(5, :)[you]; call check(all(got(1:20) == [(i, i=5, 100, 5)] + 1000 * you), 'a row of another shape')
    got(1:2) = t([5, 1], 20)[you]; call check(all(got(1:2) == [100, 96] + 1000 * you), 'a vector subscript of rank 2')
    got(1) = z(11, 12)[you]; call check(got(1) == 100 + 1000 * you, 'other lower bounds')
    got(1:2) = z(3, [12, 3])[you]; call check(all(got(1:2) == [92, 2] + 1000 * you), 'and a vector subscript')
    sync all
    x(11:30)[you] = me
    t(1, 20)[you] = -me
    z(11, 11:12)[you] = [me, 2 * me]
    sync all
  end subroutine
  subroutine piece(x)
    integer :: x(:)[*] ! box(3:7)
    integer :: got(5)
    got = x(1:5)[you]; call check(all(got == [3, 4, 5, 6, 7] + 100 * you), 'a part of the actual argument')
    got(1) = x(5)[you]; call check(got(1) == 7 + 100 * you, 'its last element')
    sync all
    x(2)[you] = -me
    sync all
    call check(x(2) == -before .and. x(1) == 3 + 100 * me, 'a put into it')
  end subroutine
  subroutine own(x, s)
    integer, allocatable :: x(:)[:] ! box: the same bounds
    integer :: s[*], got(2)
    got = x([9, 0])[you]; call check(all(got == [9, 0] + 100 * you), 'an allocatable dummy')
    got(1) = s[you]; call check(got(1) == 7 * you, 'a scalar')
  end subroutine
  subroutine components(h)
    type(part) :: h(:)[*] ! holder(0:2)
    integer :: got(3)
    got(1) = h(3)[you]%k; call check(got(1) == 2 + 10 * you, 'a component of an element')
    got = h(:)[you]%k; call check(all(got == [0, 1, 2] + 10 * you), 'of all elements')
    got(1:2) = h(2)[you]%a(2:3); call check(all(got(1:2) == you), 'an allocatable component')
    sync all
    h(2)[you]%a(1) = -me
    sync all
    call check(h(2)%a(1) == -before .and. h(2)%a(2) == me, 'a put into it')
  end subroutine
  subroutine component(x, low)
    integer :: x(:)[*], low(0:4)[*] ! holder(1)%row, i + 10 * image at index i of it
    integer :: got(5), i
    got = x(:)[you]; call check(all(got == [(i, i=1, 5)] + 10 * you), 'a component as the actual argument')
    got(1) = x(5)[you]; call check(got(1) == 5 + 10 * you, 'its last element')
    got(1:2) = low([4, 0])[you]; call check(all(got(1:2) == [5, 1] + 10 * you), 'a vector subscript of it')
    sync all
    x(4)[you] = -me
    sync all
    call check(x(4) == -before .and. x(5) == 5 + 10 * me, 'a put into it')
  end subroutine
  subroutine atomics(a)
    integer(atomic_int_kind) :: a(0:)[*] ! counters(4)
    integer :: got
    call atomic_add(a(2)[you], me)
    call atomic_add(a(3)[1], 1)
    sync all
    call atomic_ref(got, a(2)); call check(got == before, 'an atomic of an element')
    call atomic_ref(got, a(3)[1]); call check(got == n, 'and of the last')
  end subroutine
  include 'check.inc'
end module
program dummies
  use procedures
  integer, allocatable :: box(:)[:], plane(:, :)[:]
  integer, save :: scalar[*], fixed(0:9)[*]
  type(part), save :: holder(0:2)[*]
  integer(atomic_int_kind), save :: counters(4)[*] = 0
  integer :: i, k
  me = this_image(); n = num_images(); you = 1 + mod(me, n); before = merge(n, me - 1, me == 1)
  allocate (box(0:9)[*], plane(10, 10)[*])
  do i = 0, 2
    holder(i)%k = i + 10 * me
    holder(i)%row = [(k, k=1, 5)] + 10 * me
    allocate (holder(i)%a(3)); holder(i)%a = me
  end do
  box = [(i, i=0, 9)] + 100 * me
  fixed = box
  plane = reshape([(i, i=1, 100)], [10, 10]) + 1000 * me
  scalar = 7 * me
  sync all
  call shifted(box, box)
  call shifted(fixed, fixed)
  call own(box, scalar)
  call reshaped(plane, plane, plane)
  call check(all(plane(:, 2:3) == before) .and. plane(6, 10) == -before .and. &
             all(plane(10, 9:10) == [before, 2 * before]), 'puts')
  call check(plane(10, 1) == 10 + 1000 * me .and. plane(1, 4) == 31 + 1000 * me, 'and nothing else')
  call piece(box(3:7))
  call components(holder)
  call component(holder(1)%row, holder(1)%row)
  call atomics(counters)
  sync all
end program
