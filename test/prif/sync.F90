! SYNC statements, locks, critical constructs, events, atomic subroutines.
program sync
  use, intrinsic :: iso_c_binding
  use prif
  implicit none
  integer(c_int), target :: n
  integer(c_int) :: me, stat, next, before
  integer, parameter :: rounds = 30
  integer(c_int64_t), pointer :: shared(:)
  integer(c_int64_t), target :: value
  integer(c_int64_t) :: old, count
  integer(c_intptr_t), pointer :: base
  logical(PRIF_ATOMIC_LOGICAL_KIND) :: flag
  logical(c_bool) :: got
  type(prif_coarray_handle) :: h
  type(c_ptr) :: memory
  character(len=100) :: text
  integer :: i
  ! Bytes into the coarray: a counter, a lock, a critical construct, an event, a mailbox, two atomics.
  integer(c_size_t), parameter :: COUNTER = 0, LOCK = 8, CRITICAL = 16, EVENT = 24, MAIL = 32, &
      NUMBER = 40, TRUTH = 48
  type(prif_coarray_handle) :: guard, table

  call start()
  next = mod(me, n) + 1
  before = mod(me + n - 2, n) + 1
  call coarray(56, h, memory)
  call c_f_pointer(memory, shared, [7])
  shared = 0
  call coarray(8, table, memory)
  call c_f_pointer(memory, base)
  base = transfer(c_loc(shared), base)
  call prif_sync_all(stat, text)
  call check(stat == 0, 'sync_all')

  ! The images hand a number around, by sync images in a ring.
  value = 0
  do i = 1, rounds
    if (me == 1) then
      value = value + 1
      call prif_put(next, h, MAIL, c_loc(value), 8_c_size_t)
      if (n > 1) call prif_sync_images([next])
      if (n > 1) call prif_sync_images([before])
      value = shared(5)
    else
      call prif_sync_images([before])
      value = shared(5) + 1
      call prif_put(next, h, MAIL, c_loc(value), 8_c_size_t)
      call prif_sync_images([next])
    end if
  end do
  if (me == 1) call check(shared(5) == int(rounds, c_int64_t) * n, 'sync_images')
  call prif_sync_images()
  call prif_sync_images([me, me], stat, text)
  call check(stat /= 0 .and. text /= '', 'an image named twice')
  call prif_sync_memory(stat)
  call check(stat == 0, 'sync_memory')

  ! A lock of image n guards a counter of image 1.
  do i = 1, rounds
    if (mod(i, 3) == 0) then
      call prif_lock(n, h, LOCK)
    else if (mod(i, 3) == 1) then
      got = .false.
      do while (.not. got)
        call prif_lock(n, h, LOCK, acquired_lock=got)
      end do
    else
      call prif_lock_indirect(n, address(n, LOCK))
    end if
    call add_one()
    call prif_unlock(n, h, LOCK)
  end do
  call prif_sync_all()
  call prif_get(1_c_int, h, COUNTER, c_loc(value), 8_c_size_t)
  call check(value == int(rounds, c_int64_t) * n, 'lock')
  call prif_lock(me, h, LOCK)
  call prif_lock(me, h, LOCK, stat=stat, errmsg=text)
  call check(stat == PRIF_STAT_LOCKED .and. text /= '', 'locked by this image')
  call prif_sync_all()
  if (n > 1) then
    call prif_unlock(next, h, LOCK, stat)
    call check(stat == PRIF_STAT_LOCKED_OTHER_IMAGE, 'locked by another image')
    call prif_lock(next, h, LOCK, got, stat)
    call check(stat == 0 .and. .not. got, 'not acquired')
  end if
  call prif_sync_all()
  call prif_unlock_indirect(me, base + 8)
  call prif_unlock(me, h, LOCK, stat)
  call check(stat == PRIF_STAT_UNLOCKED, 'not locked')

  ! A critical construct.
  call coarray(8, guard, memory)
  block
    type(prif_critical_type), pointer :: object
    call c_f_pointer(memory, object)
    object = prif_critical_type()
  end block
  call prif_sync_all()
  do i = 1, rounds
    call prif_critical(guard, stat)
    call check(stat == 0, 'critical')
    call add_one()
    call prif_end_critical(guard)
  end do
  call prif_sync_all()
  call prif_get(1_c_int, h, COUNTER, c_loc(value), 8_c_size_t)
  call check(value == 2_c_int64_t * rounds * n, 'critical construct')

  ! Events: everybody posts twice to everybody, by handle and by address.
  do i = 1, n
    call prif_event_post(i, h, EVENT)
    call prif_event_post_indirect(i, address(i, EVENT))
  end do
  call prif_event_wait(c_loc(shared(4)), int(2 * n - 1, c_int64_t), stat)
  call check(stat == 0, 'event_wait')
  call prif_event_wait(c_loc(shared(4)))
  call prif_event_query(c_loc(shared(4)), count, stat)
  call check(stat == 0 .and. count == 0, 'event_query')
  call prif_event_query(c_loc(n), count, stat)
  call check(stat /= 0, 'an event in no coarray')

  call atomics()
  call prif_sync_all()
contains
  ! Seen by nobody else before the lock is given up.
  subroutine add_one()
    integer(c_int64_t), target :: x
    call prif_get(1_c_int, h, COUNTER, c_loc(x), 8_c_size_t)
    x = x + 1
    call prif_put(1_c_int, h, COUNTER, c_loc(x), 8_c_size_t)
  end subroutine

  ! An object's address as that image has it.
  integer(c_intptr_t) function address(image, offset)
    integer(c_int), intent(in) :: image
    integer(c_size_t), intent(in) :: offset
    integer(c_intptr_t), target :: there
    call prif_get(image, table, 0_c_size_t, c_loc(there), 8_c_size_t)
    address = there + int(offset, c_intptr_t)
  end function

  subroutine atomics()
    integer(c_int64_t) :: mine, all
    mine = ishft(1_c_int64_t, 40 + me)
    all = ishft(ishft(1_c_int64_t, n) - 1, 41)
    shared(6:7) = 0
    call prif_sync_all()
    do i = 1, rounds
      call prif_atomic_add(1_c_int, h, NUMBER, 1_c_int64_t)
      call prif_atomic_fetch_add_indirect(1_c_int, address(1_c_int, NUMBER), 1_c_int64_t, old)
      call check(old >= 2 * i - 1, 'fetch_add')
    end do
    call prif_sync_all()
    call prif_atomic_ref_int(1_c_int, h, NUMBER, value, stat)
    call check(stat == 0 .and. value == 2_c_int64_t * rounds * n, 'atomic_add')
    call prif_sync_all()
    if (me == 1) call prif_atomic_define_int(1_c_int, h, NUMBER, 0_c_int64_t)
    call prif_sync_all()
    call prif_atomic_or(n, h, NUMBER, mine)
    call prif_atomic_fetch_or(1_c_int, h, NUMBER, mine, old)
    call check(iand(old, not(all)) == 0, 'fetch_or')
    call prif_sync_all()
    call prif_atomic_ref_int_indirect(1_c_int, address(1_c_int, NUMBER), value)
    call check(value == all, 'atomic_or')
    call prif_sync_all()
    call prif_atomic_xor_indirect(1_c_int, address(1_c_int, NUMBER), 1_c_int64_t)
    call prif_atomic_fetch_and(1_c_int, h, NUMBER, not(mine), old)
    call check(iand(old, mine) /= 0, 'fetch_and')
    call prif_sync_all()
    call prif_atomic_fetch_xor(1_c_int, h, NUMBER, 0_c_int64_t, old)
    call check(old == mod(n, 2), 'atomic_and, atomic_xor')
    call prif_sync_all()
    call prif_atomic_and_indirect(1_c_int, address(1_c_int, NUMBER), 0_c_int64_t)
    call prif_sync_all()
    ! One image of all gets through, and then another one.
    call prif_atomic_cas_int(1_c_int, h, NUMBER, old, 0_c_int64_t, int(me, c_int64_t))
    call prif_sync_all()
    call prif_atomic_ref_int(1_c_int, h, NUMBER, value)
    call check((old == 0) .eqv. value == me, 'cas_int')
    call prif_atomic_cas_logical(1_c_int, h, TRUTH, flag, .false._PRIF_ATOMIC_LOGICAL_KIND, &
        .true._PRIF_ATOMIC_LOGICAL_KIND)
    if (.not. flag) call prif_atomic_add(1_c_int, h, COUNTER, 1_c_int64_t)
    call prif_sync_all()
    call prif_atomic_ref_int(1_c_int, h, COUNTER, value)
    call check(value == 2_c_int64_t * rounds * n + 1, 'cas_logical')
    call prif_atomic_define_logical(me, h, TRUTH, logical(me == n, PRIF_ATOMIC_LOGICAL_KIND))
    call prif_sync_all()
    call prif_atomic_ref_logical(next, h, TRUTH, flag)
    call check(logical(flag) .eqv. next == n, 'define_logical')
    call prif_atomic_add(me, h, TRUTH + 1, 1_c_int64_t, stat)
    call check(stat /= 0, 'an atomic that is not aligned')
  end subroutine
  include 'check.inc'
end program
