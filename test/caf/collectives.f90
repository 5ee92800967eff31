! co_broadcast, co_sum, co_min, co_max, co_reduce: types, strides, characters, derived types, zero sizes (traps 11, 12).
program collectives
  implicit none
  integer, parameter :: q = selected_real_kind(33), x = selected_real_kind(18)
  type big
    integer :: k
    real(8) :: v(3)
  end type
  type large ! more than is shown at once where images may fail
    real(8) :: v(10000)
  end type
  type pair ! of 8 bytes
    integer :: k
    real :: x
  end type
  type place ! of 16
    real(8) :: x
    integer :: at
  end type
  type holder
    integer, allocatable :: a(:)
    character(len=5) :: word, words(2)
    character(len=30), allocatable :: line, none
  end type
  integer :: me, n, i, s, strided(20), none(0), stat
  integer(1) :: i1
  integer(8), allocatable :: i8(:)
  integer(16) :: i16
  real(4) :: r4(3)
  real(8) :: r8(2, 3)
  real(x) :: r10(2)
  integer(2) :: unused(16) ! kind 10 uses 5 of 8; the last may look like the exponent of kind 16
  equivalence (r10, unused)
  real(q) :: r16(2)
  complex(8) :: c8
  complex(4) :: c4(2)
  complex(x) :: c10(2)
  complex(q) :: c16(2)
  character(len=6) :: word, words(2)
  logical :: all_true
  character(len=0) :: nothing(3)
  type(big) :: b
  type(large) :: l(2)
  type(pair) :: p(3)
  type(place) :: extreme
  type(holder) :: h
  me = this_image(); n = num_images(); s = n * (n + 1) / 2
  i1 = int(me, 1); call co_sum(i1); call check(i1 == s, 'co_sum of kind 1')
  allocate (i8(30000)); i8 = [(int(me, 8) * i, i=1, 30000)]
  call co_sum(i8, stat=stat); call check(stat == 0 .and. all(i8 == [(int(s, 8) * i, i=1, 30000)]), 'a long co_sum')
  i16 = me; call co_sum(i16); call check(i16 == s, 'co_sum of kind 16')
  r4 = [1., 2., 3.] * me; call co_sum(r4); call check(all(r4 == [1., 2., 3.] * s), 'reals')
  r10 = [0.5_x, 1._x] * me; unused(8::8) = 16376_2; call co_sum(r10); call check(all(r10 == [0.5_x, 1._x] * s), 'reals of kind 10')
  r16 = [0.1_q, 3._q] * me; call co_max(r16); call check(all(r16 == [0.1_q, 3._q] * n), 'reals of kind 16')
  ! One number that would make sense as kind 10, many times.
  r16 = 73._q / 263; call co_sum(r16); call check(all(abs(r16 - 73._q * n / 263) < 1e-30_q * n), 'the same reals of kind 16')
  c8 = cmplx(me, -me, 8); call co_sum(c8); call check(c8 == cmplx(s, -s, 8), 'complex')
  c4 = me; call co_sum(c4, result_image=n)
  call check(all(c4 == merge(s, me, me == n)), 'result_image leaves the others alone')
  strided = me; call co_sum(strided(20:1:-3))
  call check(all(strided(20:1:-3) == s) .and. strided(1) == me .and. strided(3) == me, 'strided')
  call co_sum(none)
  r8 = reshape([(real(me * i, 8), i=1, 6)], [2, 3])
  call co_min(r8(2, :)); call check(all(r8(2, :) == [2, 4, 6]) .and. r8(1, 1) == me, 'co_min of a row')
  word = 'w' // achar(iachar('a') + me); call co_max(word)
  call check(word == 'w' // achar(iachar('a') + n), 'co_max of characters')
  words = [character(6) :: 'zz', 'same']; words(1)(1:1) = achar(iachar('a') + me)
  call co_min(words); call check(words(1) == 'bz' .and. words(2) == 'same', 'co_min of characters')
  call co_max(nothing); call co_broadcast(nothing, n) ! elements of size 0
  call substrings(8, 'w' // achar(iachar('a') + me) // achar(iachar('a') - me))
  ! broadcast
  r8 = me; call co_broadcast(r8, n); call check(all(r8 == n), 'broadcast')
  words = [character(6) :: 'abc', 'def']; if (me > 1) words = ''
  call co_broadcast(words, 1); call check(words(2) == 'def', 'broadcast of characters')
  b = big(me, [1., 2., 3.] * me); call co_broadcast(b, n); call check(b%k == n .and. b%v(3) == 3 * n, 'derived type')
  strided = me; call co_broadcast(strided(::2), n)
  call check(all(strided(::2) == n) .and. strided(2) == me, 'strided')
  i8 = me; call co_broadcast(i8, 1); call check(all(i8 == 1), 'a long one')
  allocate (h%a(3), h%line); h%a = me; h%word = achar(96 + me); h%words = achar(96 + me); h%line = achar(96 + me)
  call co_broadcast(h, n); call check(all(h%a == n), 'allocatable component')
  call check(h%word == achar(96 + n) .and. all(h%words == h%word) .and. h%line == h%word, 'components of characters')
  ! co_reduce
  i = me; call co_reduce(i, plus); call check(i == s, 'by reference')
  i = me; call co_reduce(i, plus_value); call check(i == s, 'by value')
  r8 = me; call co_reduce(r8, largest, result_image=1); call check(all(r8 == merge(n, me, me == 1)), 'reals')
  all_true = me /= n; call co_reduce(all_true, both); call check(.not. all_true, 'logical')
  word = achar(iachar('a') + me); call co_reduce(word, later)
  call check(word == achar(iachar('a') + n), 'characters')
  b = big(me, [1., 2., 3.] * me); call co_reduce(b, add_big)
  call check(b%k == s .and. b%v(2) == 2 * s, 'derived type')
  do i = 1, 2
    l(i)%v = me * i
  end do
  call co_reduce(l, add_large)
  call check(all(l(1)%v == s) .and. all(l(2)%v == 2 * s), 'derived type of 80,000 bytes')
  p = pair(me, 0.5 * me); call co_reduce(p, add_pair)
  call check(all(p%k == s) .and. all(p%x == 0.5 * s), 'derived type of 8 bytes')
  p = pair(me, 0.5 * me); call co_reduce(p, left_pair)
  call check(all(p%k == 1) .and. all(p%x == 0.5), 'the operation returns one of its operands')
  extreme = place(mod(me * 7, n + 1), me); call co_reduce(extreme, further, result_image=1)
  if (me == 1) i = maxloc([(mod(i * 7, n + 1), i=1, n)], 1)
  if (me == 1) call check(extreme%at == i .and. extreme%x == mod(i * 7, n + 1), 'derived type of 16 bytes')
  c8 = (0, 1); call co_reduce(c8, times); call check(abs(c8 - (0, 1)**n) < 1e-9, 'complex')
  r10 = me; unused(8::8) = 16376_2; call co_reduce(r10, plus10); call check(all(r10 == s), 'kind 10')
  c10 = cmplx(me, -me, x); call co_reduce(c10, plus_c10); call check(all(c10 == cmplx(s, -s, x)), 'complex of kind 10')
  c16 = cmplx(0, me, q); call co_reduce(c16, plus_c16); call check(all(c16 == cmplx(0, s, q)), 'complex of kind 16')
contains
  ! They come with the whole's size: what lies around them stays. Of 2 and of 8, that is the size of one of kind 4, too.
  subroutine substrings(length, mine)
    integer, intent(in) :: length
    character(len=3), intent(in) :: mine
    character(len=length) :: c(2)
    character(len=length, kind=4) :: w
    character(len=length) :: late
    late = 'w' // achar(iachar('a') + n) // achar(iachar('a') - n)
    c = mine; call co_max(c(1)(2:4)); call check(c(1) == mine(:1) // late(2:3) .and. c(2) == mine, 'a substring')
    c = mine; call co_max(c(1)(2:3)); call check(c(1) == mine(:1) // late(2:3) .and. c(2) == mine, 'of 2 characters')
    c = mine; call co_max(c(1)(2:2)); call check(c(1) == 'w' // late(2:2) // mine(3:) .and. c(2) == mine, 'of one')
    c = mine; call co_max(c(1)(2:1)); call check(all(c == mine), 'of none')
    c = mine; call co_max(c(:)(2:3)); call check(all(c == mine(:1) // late(2:3)), 'of an array')
    c = '12345678'; c(1)(3:) = mine; call co_min(c(1)(3:), result_image=1)
    call check(c(1) == '12' // merge('wb`', mine, me == 1) .and. c(2) == '12345678', 'co_min of the rest')
    w = 4_'1' // achar(me, 4) // 4_'tail'; call co_max(w(2:2))
    call check(w == 4_'1' // achar(n, 4) // 4_'tail', 'of kind 4')
    c = '12345678'; c(1)(3:5) = mine; call co_reduce(c(1)(3:5), later_of_any)
    call check(c(1) == '12' // late(:3) // '678' .and. c(2) == '12345678', 'co_reduce')
  end subroutine
  pure integer function plus(a, b)
    integer, intent(in) :: a, b
    plus = a + b
  end function
  pure integer function plus_value(a, b)
    integer, intent(in), value :: a, b
    plus_value = a + b
  end function
  pure real(8) function largest(a, b)
    real(8), intent(in) :: a, b
    largest = max(a, b)
  end function
  pure real(x) function plus10(a, b)
    real(x), intent(in) :: a, b
    plus10 = a + b
  end function
  pure complex(x) function plus_c10(a, b)
    complex(x), intent(in) :: a, b
    plus_c10 = a + b
  end function
  pure complex(q) function plus_c16(a, b)
    complex(q), intent(in) :: a, b
    plus_c16 = a + b
  end function
  pure logical function both(a, b)
    logical, intent(in) :: a, b
    both = a .and. b
  end function
  pure function later(a, b) result(c)
    character(len=6), intent(in) :: a, b
    character(len=6) :: c
    c = merge(a, b, a > b)
  end function
  pure function later_of_any(a, b) result(c)
    character(len=*), intent(in) :: a, b
    character(len=len(a)) :: c
    c = merge(a, b, a > b)
  end function
  pure function add_big(a, b) result(c)
    type(big), intent(in) :: a, b
    type(big) :: c
    c = big(a%k + b%k, a%v + b%v)
  end function
  pure function add_large(a, b) result(c)
    type(large), intent(in) :: a, b
    type(large) :: c
    c%v = a%v + b%v
  end function
  pure type(pair) function add_pair(a, b)
    type(pair), intent(in) :: a, b
    add_pair = pair(a%k + b%k, a%x + b%x)
  end function
  pure type(pair) function left_pair(a, b)
    type(pair), intent(in) :: a, b
    left_pair = merge(a, b, b%k > 0) ! always a
  end function
  pure type(place) function further(a, b)
    type(place), intent(in) :: a, b
    further = a
    if (b%x > a%x) further = b
  end function
  pure complex(8) function times(a, b)
    complex(8), intent(in) :: a, b
    times = a * b
  end function
  include 'check.inc'
end program
