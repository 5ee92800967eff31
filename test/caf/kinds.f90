! Conversions that the library makes in get, send and sendget: all kinds, characters, scalars to arrays (trap 10).
program kinds
  use iso_fortran_env, only: int8, int16, int32, int64
  implicit none
  integer, parameter :: q = selected_real_kind(33), x = selected_real_kind(18)
  integer(int8), save :: i1(4)[*]
  integer(int16), save :: i2(4)[*]
  integer(int32), save :: i4(4)[*]
  integer(int64), save :: i8(4)[*]
  integer(16), save :: i16(4)[*]
  real(4), save :: r4(4)[*]
  real(8), save :: r8(4)[*]
  real(x), save :: r10(4)[*]
  real(q), save :: r16(4)[*]
  complex(4), save :: c4(4)[*]
  complex(8), save :: c8(4)[*]
  logical(1), save :: l1(4)[*]
  logical(8), save :: l8(4)[*]
  character(len=6), save :: s1(2)[*]
  character(len=4, kind=4), save :: s4(2)[*]
  integer(int8) :: g1(4)
  integer(int64) :: g8(4)
  integer(16) :: g16(4)
  real(4) :: h4(4)
  real(8) :: h8(4)
  real(q) :: h16(4)
  complex(8) :: k8(4)
  logical(1) :: m1(4)
  logical(8) :: m8(4)
  character(len=3) :: t3(2)
  character(len=9) :: t9(2)
  character(len=5, kind=4) :: u5(2)
  integer :: you
  you = 1 + mod(this_image(), num_images())
  i1 = [1, -2, 3, -4]; i2 = 2 * i1; i4 = 3 * i1; i8 = 4 * i1; i16 = 5 * i1
  r4 = i1 + 0.5; r8 = i1 + 0.75d0; r10 = i1 + 0.125_x; r16 = i1 + 0.25_q
  c4 = cmplx(i1, 7); c8 = cmplx(r8, r4, kind=8)
  l1 = [.true., .false., .true., .false.]; l8 = .not. l1
  s1 = ['abcdef', 'xy    ']; s4 = [4_'hijk', 4_'lm  ']
  s4(2)(3:3) = char(955, kind=4)
  sync all
  ! get
  g8 = i1(:)[you]; call check(all(g8 == i1), 'i1 to i8')
  g1 = i8(:)[you]; call check(all(g1 == i8), 'i8 to i1')
  g16 = i2(:)[you]; call check(all(g16 == i2), 'i2 to i16')
  g1 = i16(:)[you]; call check(all(g1 == i16), 'i16 to i1')
  h4 = i4(:)[you]; call check(all(h4 == i4), 'i4 to r4')
  h8 = r4(:)[you]; call check(all(h8 == r4), 'r4 to r8')
  h8 = r10(:)[you]; call check(all(h8 == r10), 'r10 to r8')
  h16 = r8(:)[you]; call check(all(h16 == r8), 'r8 to r16')
  h4 = r16(:)[you]; call check(all(h4 == r16), 'r16 to r4')
  g8 = r8(:)[you]; call check(all(g8 == int(r8)), 'r8 to i8 truncates')
  h8 = c4(:)[you]; call check(all(h8 == real(c4)), 'c4 to r8: the real part')
  k8 = c4(:)[you]; call check(all(k8 == c4), 'c4 to c8')
  k8 = i4(:)[you]; call check(all(k8 == i4), 'i4 to c8')
  g8 = c8(:)[you]; call check(all(g8 == int(real(c8))), 'c8 to i8')
  m8 = l1(:)[you]; call check(all(logical(m8) .eqv. logical(l1)), 'l1 to l8')
  m1 = l8(:)[you]; call check(all(logical(m1) .eqv. logical(l8)), 'l8 to l1')
  t3 = s1(:)[you]; call check(all(t3 == ['abc', 'xy ']), 'characters cut')
  t9 = s1(:)[you]; call check(all(t9 == ['abcdef   ', 'xy       ']), 'characters padded')
  u5 = s1(:)[you]; call check(all(u5 == [4_'abcde', 4_'xy   ']), 'kind 1 to 4')
  t3 = s4(:)[you]; call check(t3(1) == 'hij' .and. t3(2) == 'lm?', 'kind 4 to 1')
  h8(2:4) = i4(2)[you]; call check(all(h8(2:4) == i4(2)), 'a scalar to an array')
  sync all
  ! send
  i1(:)[you] = 8_int64; i2(:)[you] = [1.5, 2.5, -3.5, 4.5]; i16(:)[you] = [9_int8, 8_int8, 7_int8, 6_int8]
  r16(::2)[you] = [3, 4]; r4(4:1:-1)[you] = [1._q, 2._q, 3._q, 4._q]; r10(:)[you] = [1, 2, 3, 4]
  c8(:)[you] = [(1., 2.), (3., 4.), (5., 6.), (7., 8.)]; c4(2)[you] = 5.d0
  l8(:)[you] = [.false._1, .true._1, .true._1, .false._1]
  s1(:)[you] = 'zz'; s4(1)[you] = 'a longer one'
  sync all
  call check(all(i1 == 8), 'i8 scalar to i1 array')
  call check(all(i2 == [1, 2, -3, 4]), 'r4 to i2')
  call check(all(i16 == [9, 8, 7, 6]), 'i1 to i16')
  call check(all(r16(::2) == [3, 4]) .and. r16(2) == -1.75_q, 'i4 to r16, strided')
  call check(all(r4 == [4., 3., 2., 1.]), 'r16 to r4, backwards')
  call check(all(r10 == [1, 2, 3, 4]), 'i4 to r10')
  call check(all(c8 == [(1., 2.), (3., 4.), (5., 6.), (7., 8.)]), 'c4 to c8 sent')
  call check(c4(2) == (5., 0.), 'r8 to c4')
  call check(all(logical(l8) .eqv. [.false., .true., .true., .false.]), 'l1 to l8 sent')
  call check(all(s1 == 'zz    '), 'one string to all, padded')
  call check(s4(1) == 4_'a lo', 'kind 1 to 4, cut')
  sync all
  ! from one image to another
  r8(:)[you] = i16(:)[you]
  i4(1:2)[you] = r4(3:4)[you]
  sync all
  call check(all(r8 == [9, 8, 7, 6]), 'sendget i16 to r8')
  call check(all(i4(1:2) == [2, 1]), 'sendget r4 to i4')
contains
  include 'check.inc'
end program
