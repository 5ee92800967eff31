! Pointer components that lead to ordinary variables, of which the kernel moves a part at a time (partial.c).
program partial
  implicit none
  type holder
    integer, pointer :: p(:) => null(), m(:, :) => null()
  end type
  integer, parameter :: n = 100003, w = 301
  type(holder) :: c[*]
  integer, allocatable, target :: ordinary(:), square(:, :)
  integer, allocatable :: got(:), block(:, :), expected(:, :)
  integer :: me, you, before, i
  me = this_image(); you = 1 + mod(me, num_images())
  before = 1 + mod(me - 2 + num_images(), num_images())
  allocate (ordinary(n), square(w, w), got(n), block(w, w), expected(w, w))
  ordinary = [(me * n + i, i=1, n)]
  square = reshape([(me * n - i, i=1, w * w)], [w, w])
  c%p => ordinary
  c%m => square
  sync all
  got = c[you]%p(:)
  call check(all(got == [(you * n + i, i=1, n)]), 'all of an array got')
  got(1:n:2) = c[you]%p(1:n:2)
  call check(all(got == [(you * n + i, i=1, n)]), 'every second element got')
  got(1:n) = c[you]%p(n:1:-1)
  call check(all(got == [(you * n + n + 1 - i, i=1, n)]), 'backwards')
  block(3:w-1, 2:w:2) = c[you]%m(3:w-1, 2:w:2)
  expected = reshape([(you * n - i, i=1, w * w)], [w, w])
  call check(all(block(3:w-1, 2:w:2) == expected(3:w-1, 2:w:2)), 'columns got')
  sync all
  got = [(me * 7 + i, i=1, n)]
  block = reshape([(me * 5 + i, i=1, w * w)], [w, w])
  c[you]%p(:) = got
  c[you]%m(:, 1:w:2) = block(:, 1:w:2)
  sync all
  call check(all(ordinary == [(before * 7 + i, i=1, n)]), 'all of an array put')
  block = reshape([(before * 5 + i, i=1, w * w)], [w, w])
  call check(all(square(:, 1:w:2) == block(:, 1:w:2)), 'columns put')
  block = reshape([(me * n - i, i=1, w * w)], [w, w])
  call check(all(square(:, 2:w:2) == block(:, 2:w:2)), 'columns that stay')
  sync all
contains
  include 'check.inc'
end program
