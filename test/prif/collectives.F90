! Collective subroutines on numbers of every kind, sections, characters, derived types.
module operations
  use, intrinsic :: iso_c_binding
  implicit none
  type, bind(C) :: pair
    real(c_double) :: value
    integer(c_int) :: image
  end type
contains
  ! The pair with the larger value; cdata counts elements.
  subroutine larger(arg1, arg2_and_out, count, cdata) bind(C)
    type(c_ptr), intent(in), value :: arg1, arg2_and_out
    integer(c_size_t), intent(in), value :: count
    type(c_ptr), intent(in), value :: cdata
    type(pair), pointer :: x(:), y(:)
    integer(c_size_t), pointer :: counter
    integer(c_size_t) :: i
    call c_f_pointer(arg1, x, [count])
    call c_f_pointer(arg2_and_out, y, [count])
    call c_f_pointer(cdata, counter)
    counter = counter + count
    do i = 1, count
      if (x(i)%value > y(i)%value) y(i) = x(i)
    end do
  end subroutine
end module

program collectives
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env
  use prif
  use operations
  implicit none
  integer(c_int) :: me, n, stat
  integer(int8) :: i1(3)
  integer(int16) :: i2
  integer(int32) :: i4(4, 5), whole(4, 5)
  integer(int64), allocatable :: i8(:)
  real(real32) :: r4(2)
  real(real64), target :: r8(20000)
  complex(real64) :: c8(3)
  character(kind=c_char, len=5) :: word, words(2)
  type(pair), target :: pairs(3)
  integer(c_size_t), target :: counter
  procedure(prif_operation_wrapper_interface), pointer :: operation
  integer :: i, j
  logical :: truth(3)

  call start()
  i1 = int([me, 1, -me], int8)
  call prif_co_sum(i1)
  call check(all(i1 == [n * (n + 1) / 2, n, -n * (n + 1) / 2]), 'co_sum of int8')
  i2 = int(me, int16)
  call prif_co_max(i2, result_image=1_c_int)
  call check(i2 == merge(n, me, me == 1), 'co_max of int16 on image 1')
  ! Every second row: the others stay.
  i4 = reshape([(me * i, i=1, 20)], [4, 5])
  whole = i4
  call prif_co_min(i4(1:4:2, 5:2:-1), stat=stat)
  call check(stat == 0, 'co_min')
  do j = 1, 5
    do i = 1, 4
      call check(i4(i, j) == merge(4 * (j - 1) + i, whole(i, j), mod(i, 2) == 1 .and. j > 1), &
          'co_min of a section')
    end do
  end do
  allocate (i8(100000))
  i8 = [(int(me, int64) * i, i=1, 100000)]
  call prif_co_sum(i8, n)
  call check(all(i8 == [(merge(n * (n + 1) / 2, me, me == n) * int(i, int64), i=1, 100000)]), &
      'co_sum of 800 KB on the last image')
  r4 = [1.5, -1.0] * me
  call prif_co_max(r4)
  call check(all(r4 == [1.5 * n, -1.0]), 'co_max of real32')
  r8 = me
  call prif_co_min(r8)
  call check(all(r8 == 1), 'co_min of real64')
  c8 = cmplx(me, -me, real64)
  call prif_co_sum(c8)
  call check(all(c8 == cmplx(n * (n + 1) / 2, -n * (n + 1) / 2, real64)), 'co_sum of complex')
  write (word, '(a,i0)') 'w', me
  call prif_co_max_character(word)
  call check(word == 'w' // achar(iachar('0') + n), 'co_max of characters')
  words = [character(len=5) :: 'b', 'x']
  if (me == n) words(1) = 'a'
  call prif_co_min_character(words, 1_c_int)
  if (me == 1) call check(all(words == [character(len=5) :: 'a', 'x']), 'co_min of characters')

  truth = me == n
  call prif_co_broadcast(truth, n)
  call check(all(truth), 'co_broadcast of logicals')
  pairs = [(pair(1.0_c_double * mod(me * i, 5), me), i=1, 3)]
  call prif_co_broadcast(pairs(3:1:-2), 1_c_int)
  call check(all(pairs%image == [1, me, 1]), 'co_broadcast of a section')
  if (me == n) r8 = [(i, i=1, 20000)]
  call prif_co_broadcast_cptr(c_loc(r8), int(8 * 19999, c_size_t), n)
  call check(all(r8(:19999) == [(i, i=1, 19999)]), 'co_broadcast_cptr')
  call check(r8(20000) == merge(20000, 1, me == n), 'co_broadcast_cptr: the rest')

  operation => larger
  counter = 0
  pairs = [(pair(1.0_c_double * mod(me * i, 7), me), i=1, 3)]
  call prif_co_reduce(pairs, operation, c_loc(counter))
  do i = 1, 3
    call check(pairs(i)%value == maxval([(mod(j * i, 7), j=1, n)]), 'co_reduce')
    call check(mod(pairs(i)%image * i, 7) == int(pairs(i)%value), 'co_reduce: the rest')
  end do
  pairs = [(pair(-1.0_c_double * me * i, me), i=1, 3)]
  call prif_co_reduce_cptr(c_loc(pairs), int(storage_size(pairs) / 8, c_size_t), 3_c_size_t, &
      operation, c_loc(counter), result_image=n)
  call check(all(pairs%image == merge(1, me, me == n)), 'co_reduce_cptr')
  call check(n == 1 .or. me > 1 .or. counter > 0, 'cdata')
  call prif_co_sum(i2, n + 1, stat)
  call check(stat /= 0, 'no such result image')
  call prif_co_broadcast(i2, 0_c_int, stat)
  call check(stat /= 0, 'no such source image')
  call prif_sync_all()
contains
  include 'check.inc'
end program
