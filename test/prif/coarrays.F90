! Storage: what images see of each other's memory, aliases, context data, final procedures, components,
! what there is no memory for.
module finals
  use, intrinsic :: iso_c_binding
  use prif
  implicit none
  integer :: calls = 0
  integer(c_int) :: seen(2) = 0
contains
  ! Other images' memory is still there.
  subroutine final(handle) bind(C)
    type(prif_coarray_handle), value, intent(in) :: handle
    integer(c_int), target :: value
    type(c_ptr) :: context
    integer(c_int), pointer :: image
    calls = calls + 1
    call prif_get_context_data(handle, context)
    call c_f_pointer(context, image)
    call prif_get(image, handle, 0_c_size_t, c_loc(value), 4_c_size_t)
    seen(calls) = value
  end subroutine
end module

program coarrays
  use, intrinsic :: iso_c_binding
  use prif
  use finals
  implicit none
  integer(c_int) :: me, n, stat
  integer(c_int), target :: next, value
  integer(c_int), pointer :: a(:), part(:)
  integer :: i
  type(prif_coarray_handle) :: h, g, alias, many(20)
  type(c_ptr) :: memory, data, context
  integer(c_size_t) :: bytes
  character(len=20) :: text
  character(len=:), allocatable :: long
  procedure(prif_coarray_cleanup_interface), pointer :: procedure

  call start()
  next = mod(me, n) + 1
  call coarray(40, h, memory)
  call c_f_pointer(memory, a, [10])
  a = [(100 * me + i, i=1, 10)]
  call prif_size_bytes(h, bytes)
  call check(bytes == 40, 'size_bytes')
  call prif_local_data_pointer(h, data)
  call check(c_associated(data, memory), 'local_data_pointer')
  call prif_sync_all()
  call prif_get(next, h, 8_c_size_t, c_loc(value), 4_c_size_t)
  call check(value == 100 * next + 3, 'get')

  ! An alias shares memory and context data.
  call prif_alias_create(h, [1_c_int64_t, 1_c_int64_t], [2_c_int64_t, 9_c_int64_t], 20_c_size_t, &
      alias)
  call prif_get(next, alias, 0_c_size_t, c_loc(value), 4_c_size_t)
  call check(value == 100 * next + 6, 'get by an alias')
  call prif_set_context_data(alias, c_loc(next))
  call prif_get_context_data(h, context)
  call check(c_associated(context, c_loc(next)), 'context data')
  call prif_alias_destroy(alias)
  call prif_sync_all()
  call prif_deallocate_coarray(h)

  ! Final procedures run once each, before any memory goes.
  procedure => final
  call prif_allocate_coarray([1_c_int64_t], [int(n, c_int64_t)], 4_c_size_t, procedure, h, memory)
  call c_f_pointer(memory, a, [1])
  a = me
  call prif_allocate_coarray([1_c_int64_t], [int(n, c_int64_t)], 4_c_size_t, procedure, g, memory)
  call c_f_pointer(memory, a, [1])
  a = -me
  call prif_set_context_data(h, c_loc(next))
  call prif_set_context_data(g, c_loc(next))
  call prif_deallocate_coarrays([h, g], stat)
  call check(stat == 0 .and. calls == 2 .and. all(seen == [next, -next]), 'final procedures')

  ! Of size 0 too there is an address, and memory is used again.
  do i = 1, 20
    call coarray(merge(0, 1000 * i, i == 7), many(i), memory)
    call check(c_associated(memory), 'an address')
  end do
  call prif_deallocate_coarrays(many)

  ! A component of one image, which others reach through its address in a coarray.
  call coarray(8, h, memory)
  call prif_allocate(40_c_size_t, data)
  call c_f_pointer(data, a, [10])
  a = [(1000 * me + i, i=1, 10)]
  block
    integer(c_intptr_t), pointer :: address
    integer(c_intptr_t), target :: there
    call c_f_pointer(memory, address)
    address = transfer(data, address)
    call prif_sync_all()
    call prif_get(next, h, 0_c_size_t, c_loc(there), 8_c_size_t)
    allocate (part(4))
    call prif_get_indirect(next, there + 8, c_loc(part), 16_c_size_t)
    call check(all(part == [(1000 * next + i, i=3, 6)]), 'a component')
    part = -part
    call prif_put_indirect(next, there + 24, c_loc(part), 16_c_size_t)
    call prif_sync_all()
    call check(all(a(7:10) == [(-1000 * me - i, i=3, 6)]), 'put into a component')
  end block
  call prif_sync_all()
  call prif_deallocate(data)
  call prif_deallocate_coarray(h)

  ! What cannot be had is said.
  call prif_allocate(ishft(500_c_size_t, 40), data, stat, errmsg_alloc=long)
  call check(stat == PRIF_STAT_OUT_OF_MEMORY, 'no memory')
  call check(index(long, 'out of memory') > 0, 'no memory: '//long)
  procedure => null()
  call prif_allocate_coarray([1_c_int64_t], [integer(c_int64_t) ::], ishft(500_c_size_t, 40), &
      procedure, h, memory, stat, errmsg=text)
  call check(stat == PRIF_STAT_OUT_OF_MEMORY .and. text == 'prif_allocate_coarra', 'no coarray')
  call prif_get(n + 1, h, 0_c_size_t, c_loc(value), 4_c_size_t, stat, text)
  call check(stat /= 0 .and. text(:9) == 'prif_get:', 'no such image')
  call prif_deallocate(c_loc(value), stat)
  call check(stat /= 0, 'memory of somebody else')
contains
  include 'check.inc'
end program
