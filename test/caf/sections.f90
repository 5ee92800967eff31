! Sections against the same assignments on ordinary arrays: strides of both signs, vector subscripts, zero sizes, overlap
! on one image, several dimensions, derived types (traps 7, 13, 14).
program sections
  implicit none
  type pair
    integer :: k
    real(8) :: v(2)
  end type
  integer, parameter :: n1 = 7, n2 = 6, n3 = 5
  integer, save :: x(n1, n2, n3)[*]
  integer, save :: line(40)[*]
  character(len=0), save :: empty[*]
  type(pair), save :: p(8)[*]
  integer, allocatable :: a(:, :)[:]
  integer :: y(n1, n2, n3), want(n1, n2, n3), lin(40), v(3), w(2), round, me, you, i
  integer :: two(3, 2), wide(3, n2), tall(4, 2)
  type(pair) :: pp(8)
  me = this_image()
  you = 1 + mod(me, num_images())
  call fill(x, me); call fill(y, you)
  line = [(me * 1000 + i, i=1, 40)]; lin = line - me * 1000 + you * 1000
  sync all
  do round = 1, 40
    call random_sections(round)
  end do
  v = [7, 1, 4]; w = [5, 2]
  two = x(v, 3, w)[you]
  call check(all(two == y(v, 3, w)), 'vector subscripts')
  wide = x(v, :, 2)[you]
  call check(all(wide == y(v, :, 2)), 'a vector and a range')
  tall = x(7:1:-2, w, 1)[you]
  call check(all(tall == y(7:1:-2, w, 1)), 'backwards and a vector')
  call check(all(line(40:1:-3)[you] == lin(40:1:-3)), 'negative stride')
  call check(size(line(5:4)[you]) == 0, 'zero size')
  sync all
  ! put through vectors
  x(v, 2, w)[you] = reshape([1, 2, 3, 4, 5, 6], [3, 2])
  x(2:6:2, 4, :)[you] = -1
  line(2:10:4)[you] = [7, 8, 9]
  line(30:21)[you] = [integer ::]
  empty[you] = 'cut'
  call check(empty[you] == '', 'characters of length 0, behind puts')
  sync all
  call fill(want, me)
  want(v, 2, w) = reshape([1, 2, 3, 4, 5, 6], [3, 2])
  want(2:6:2, 4, :) = -1
  call check(all(x == want), 'puts through vectors and strides')
  call check(all(line(2:10:4) == [7, 8, 9]) .and. line(3) == me * 1000 + 3, 'strided put')
  sync all
  ! as if through a temporary
  lin = line
  line(2:40)[me] = line(1:39)[me]
  lin(2:40) = lin(1:39)
  call check(all(line == lin), 'overlap, forwards')
  line(1:39)[me] = line(2:40)
  lin(1:39) = lin(2:40)
  call check(all(line == lin), 'overlap, put')
  line(:)[me] = line(40:1:-1)
  lin = lin(40:1:-1)
  call check(all(line == lin), 'overlap, reversed')
  sync all
  ! derived types, components of their elements, bounds that do not begin at 1
  do i = 1, 8
    p(i) = pair(me * 10 + i, [real(8) :: i, me])
  end do
  allocate (a(-2:3, 5:9)[*])
  a = reshape([(me * 100 + i, i=1, 30)], [6, 5])
  sync all
  pp = p(:)[you]
  call check(all(pp%k == [(you * 10 + i, i=1, 8)]) .and. pp(3)%v(2) == you, 'derived type')
  call check(p(5)[you]%k == you * 10 + 5 .and. p(5)[you]%v(1) == 5, 'component')
  call check(all(p(2:8:3)[you]%k == [(you * 10 + i, i=2, 8, 3)]), 'a component of every third element')
  call check(all(a(0, :)[you] == [(you * 100 + 3 + 6 * i, i=0, 4)]), 'a row with other bounds')
  call check(a(3, 9)[you] == you * 100 + 30, 'the last element')
  sync all
contains
  subroutine fill(z, image)
    integer, intent(out) :: z(n1, n2, n3)
    integer, intent(in) :: image
    integer :: k
    z = reshape([(image * 10000 + k, k=1, n1 * n2 * n3)], [n1, n2, n3])
  end subroutine
  ! The same numbers on all images; random enough.
  integer function pick(seed, most)
    integer, intent(in) :: seed, most
    pick = 1 + mod(abs(ieor(seed * 7919, ishft(seed, 5)) / 3), most)
  end function
  subroutine random_sections(r)
    integer, intent(in) :: r
    integer :: f(3), l(3), s(3), d, sizes(3)
    integer, allocatable :: got(:, :, :)
    sizes = [n1, n2, n3]
    do d = 1, 3
      f(d) = pick(r * 11 + d, sizes(d)); l(d) = pick(r * 17 + d + 3, sizes(d)); s(d) = pick(r + d, 3)
      if (l(d) < f(d)) s(d) = -s(d)
    end do
    allocate (got, source=x(f(1):l(1):s(1), f(2):l(2):s(2), f(3):l(3):s(3))[you])
    call check(all(got == y(f(1):l(1):s(1), f(2):l(2):s(2), f(3):l(3):s(3))), 'random section')
  end subroutine
  include 'check.inc'
end program
