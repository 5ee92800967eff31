! Access: blocks of many sizes, strides of any sign, addresses, notifications.
program access
  use, intrinsic :: iso_c_binding
  use prif
  implicit none
  integer(c_int), target :: me
  integer(c_int) :: n, next, before, stat
  integer, parameter :: room = 200000
  integer(c_int8_t), pointer :: bytes(:), buffer(:)
  integer(c_int32_t), pointer :: grid(:, :, :), box(:, :)
  integer(c_int), target, allocatable :: outside(:)
  integer(c_intptr_t), target :: addresses(3)
  integer(c_intptr_t), pointer :: mine(:)
  type(prif_coarray_handle) :: h, hp, he
  type(c_ptr) :: memory, at_events
  type(prif_notify_type), pointer :: events(:)
  integer :: i, j, k, sizes(9) = [0, 1, 3, 8, 63, 64, 4096, 65536, room]
  integer(c_int64_t) :: count

  call start()
  next = mod(me, n) + 1
  before = mod(me + n - 2, n) + 1
  call coarray(room, h, memory)
  call c_f_pointer(memory, bytes, [room])
  allocate (buffer(room))

  do i = 1, size(sizes)
    bytes = 0
    buffer = int([(mod(j + me, 100), j=1, room)], c_int8_t)
    call prif_sync_all()
    call prif_put(next, h, int(room - sizes(i), c_size_t), c_loc(buffer), int(sizes(i), c_size_t))
    call prif_sync_all()
    call check(all(bytes(room - sizes(i) + 1:) == [(mod(j + before, 100), j=1, sizes(i))]), 'put')
    call check(all(bytes(:room - sizes(i)) == 0), 'put beside it')
    buffer = 0
    call prif_get(next, h, int(room - sizes(i), c_size_t), c_loc(buffer), int(sizes(i), c_size_t), &
        stat)
    call check(stat == 0 .and. all(buffer(:sizes(i)) == [(mod(j + me, 100), j=1, sizes(i))]), 'get')
    call prif_sync_all()
  end do

  ! An image sees its own puts in order, before any synchronisation.
  do i = 1, 50
    buffer(1) = int(i, c_int8_t)
    call prif_put(next, h, 0_c_size_t, c_loc(buffer(1)), 1_c_size_t)
    call prif_get(next, h, 0_c_size_t, c_loc(buffer(2)), 1_c_size_t)
    call check(buffer(2) == i, 'a get after a put')
  end do
  call prif_sync_all()

  ! Every second row backwards, every third column, of a grid of 10 x 9 x 4; a dense box here.
  call c_f_pointer(memory, grid, [10, 9, 4])
  allocate (box(5, 3))
  grid = reshape([(1000 * me + i, i=1, 360)], [10, 9, 4])
  call prif_sync_all()
  call prif_get_strided(next, h, 4_c_size_t * (10 * 9 * 2 + 9), [-8_c_ptrdiff_t, 120_c_ptrdiff_t], &
      c_loc(box), [4_c_ptrdiff_t, 20_c_ptrdiff_t], 4_c_size_t, [5_c_size_t, 3_c_size_t])
  do j = 1, 3
    do i = 1, 5
      k = 180 + (3 * j - 3) * 10 + 12 - 2 * i
      call check(box(i, j) == 1000 * next + k, 'get_strided')
    end do
  end do
  call prif_sync_all()
  box = -box
  call prif_put_strided(next, h, 4_c_size_t * (10 * 9 * 2 + 9), [-8_c_ptrdiff_t, 120_c_ptrdiff_t], &
      c_loc(box), [4_c_ptrdiff_t, 20_c_ptrdiff_t], 4_c_size_t, [5_c_size_t, 3_c_size_t], stat)
  call prif_sync_all()
  call check(stat == 0, 'put_strided')
  call check(all(grid(10:2:-2, 1:7:3, 3) == reshape([((-1000 * me - (180 + (3 * j - 3) * 10 + 12 - &
      2 * i), i=1, 5), j=1, 3)], [5, 3])), 'put_strided: elements')
  call check(sum(merge(1, 0, grid < 0)) == 15, 'put_strided: others')
  call prif_get_strided(next, h, 0_c_size_t, [4_c_ptrdiff_t], c_loc(box), [integer(c_ptrdiff_t) ::], &
      4_c_size_t, [5_c_size_t], stat)
  call check(stat /= 0, 'ranks that differ')

  ! Addresses: in the coarray, and memory that is no coarray's.
  call coarray(24, hp, memory)
  call c_f_pointer(memory, mine, [3])
  call coarray(16, he, at_events)
  call c_f_pointer(at_events, events, [2])
  events = prif_notify_type()
  allocate (outside(1000))
  outside = me
  mine = [transfer(c_loc(bytes), 0_c_intptr_t), transfer(c_loc(outside), 0_c_intptr_t), &
      transfer(at_events, 0_c_intptr_t)]
  call prif_sync_all()
  call prif_get(next, hp, 0_c_size_t, c_loc(addresses), 24_c_size_t)
  call prif_get_indirect(next, addresses(2) + 400, c_loc(box), 60_c_size_t)
  call check(all(box == next), 'memory of malloc')
  call prif_put_strided_indirect(next, addresses(2), [8_c_ptrdiff_t], c_loc(me), [0_c_ptrdiff_t], &
      4_c_size_t, [7_c_size_t])
  call prif_sync_all()
  call check(all(outside(1:13:2) == before) .and. all(outside(2:14:2) == me), 'put_strided_indirect')
  call prif_get_strided_indirect(next, addresses(2), [8_c_ptrdiff_t], c_loc(box), [4_c_ptrdiff_t], &
      4_c_size_t, [7_c_size_t])
  call check(all(reshape(box, [7]) == me), 'get_strided_indirect')
  call prif_sync_all()

  ! Eight ways to put and notify, each of which is seen once the notification is.
  do i = 1, 40
    grid(:, 1, 1) = 0
    call prif_sync_all()
    box = 100 * i + me
    call put_and_notify(mod(i, 8), c_loc(box))
    call prif_notify_wait(c_loc(events(2)), until_count=1_c_int64_t)
    call check(all(grid(1:7:2, 1, 1) == 100 * i + before), 'put with notify')
  end do
  call prif_event_query(c_loc(events(2)), count)
  call check(count == 0, 'each was waited for')
  call prif_sync_all()
contains
  subroutine put_and_notify(way, from)
    integer, intent(in) :: way
    type(c_ptr), intent(in) :: from
    integer(c_ptrdiff_t), parameter :: far(1) = 8, near(1) = 4
    integer(c_size_t), parameter :: four(1) = 4
    ! The contiguous ways write elements 1 to 7.
    select case (way)
    case (0)
      call prif_put_with_notify(next, h, 0_c_size_t, from, 28_c_size_t, he, 8_c_size_t)
    case (1)
      call prif_put_with_notify_indirect(next, h, 0_c_size_t, from, 28_c_size_t, addresses(3) + 8)
    case (2)
      call prif_put_indirect_with_notify(next, addresses(1), from, 28_c_size_t, he, 8_c_size_t)
    case (3)
      call prif_put_indirect_with_notify_indirect(next, addresses(1), from, 28_c_size_t, &
          addresses(3) + 8)
    case (4)
      call prif_put_strided_with_notify(next, h, 0_c_size_t, far, from, near, 4_c_size_t, four, he, &
          8_c_size_t)
    case (5)
      call prif_put_strided_with_notify_indirect(next, h, 0_c_size_t, far, from, near, 4_c_size_t, &
          four, addresses(3) + 8)
    case (6)
      call prif_put_strided_indirect_with_notify(next, addresses(1), far, from, near, 4_c_size_t, &
          four, he, 8_c_size_t)
    case (7)
      call prif_put_strided_indirect_with_notify_indirect(next, addresses(1), far, from, near, &
          4_c_size_t, four, addresses(3) + 8)
    end select
  end subroutine
  include 'check.inc'
end program
