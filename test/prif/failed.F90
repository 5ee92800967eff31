! Images fail: the one that the argument says, and later the last one, inside a team. What the others do says so in its
! stat, and is done all the same. stop.sh runs it on 4 images.
module finals
  use, intrinsic :: iso_c_binding
  use prif
  implicit none
  integer :: calls = 0
contains
  subroutine final(handle) bind(C)
    type(prif_coarray_handle), value, intent(in) :: handle
    integer(c_size_t) :: bytes
    call prif_size_bytes(handle, bytes)
    calls = calls + 1
  end subroutine
end module

program failed
  use, intrinsic :: iso_c_binding
  use prif
  use finals
  implicit none
  integer(c_int) :: me, n, dead, stat, size, next, i
  integer(c_int), target :: value
  integer(c_int), pointer :: x
  integer(c_int64_t), pointer :: words(:)
  type(prif_coarray_handle) :: before, later, inside, guard, locks
  type(prif_team_type) :: team
  type(c_ptr) :: memory
  character(len=8) :: argument
  character(len=60) :: text

  call start()
  call get_command_argument(1, argument)
  read (argument, *) dead
  call finalized(before, stat)
  call check(stat == 0, 'allocate where all run')
  call coarray(8, guard, memory)
  call coarray(16, locks, memory)
  call c_f_pointer(memory, words, [2])
  words = 0
  call prif_sync_all()
  if (me == dead) then
    call prif_lock(3_c_int, locks, 0_c_size_t)
    call prif_lock(3_c_int, locks, 8_c_size_t)
    call prif_critical(guard)
    call prif_fail_image()
  end if
  call prif_sync_all(stat)
  call check(stat == PRIF_STAT_FAILED_IMAGE, 'sync_all')

  ! What the dead image has locked is free again, which is no error.
  if (me == 3) then
    text = 'as it was'
    call prif_lock(me, locks, 0_c_size_t, stat=stat, errmsg=text)
    call check(stat == PRIF_STAT_UNLOCKED_FAILED_IMAGE .and. text == 'as it was', 'lock')
    call prif_unlock(me, locks, 0_c_size_t)
    call prif_lock(me, locks, 8_c_size_t)
    call prif_unlock(me, locks, 8_c_size_t)
  end if
  ! The lock of the construct may be the dead image's.
  call prif_critical(guard)
  call prif_end_critical(guard)
  call prif_sync_all(stat)
  do i = 1, 10
    call prif_critical(guard, stat)
    call check(stat == 0, 'critical')
    call prif_end_critical(guard)
  end do

  text = ''
  call finalized(later, stat, text)
  call check(stat == PRIF_STAT_FAILED_IMAGE .and. text /= '', 'allocate')
  call c_f_pointer(memory, x)
  x = me
  call prif_sync_all(stat)
  next = mod(me, n) + 1
  if (next == dead) next = mod(next, n) + 1
  call prif_get(next, later, 0_c_size_t, c_loc(value), 4_c_size_t)
  call check(value == next, 'what was allocated')

  call prif_form_team(1_c_int64_t, team, stat=stat)
  call check(stat == PRIF_STAT_FAILED_IMAGE, 'form_team')
  do i = 1, 2
    call prif_change_team(team, stat)
    call check(stat == 0, 'change_team to the living')
    call prif_num_images(size)
    call check(size == n - 1, 'images of the team')
    call finalized(inside, stat)
    call check(stat == 0, 'allocate in the team')
    if (i == 2 .and. me == n) call prif_fail_image()
    call prif_end_team(stat)
    call check(stat == merge(PRIF_STAT_FAILED_IMAGE, 0, i == 2) .and. calls == i, 'end_team')
  end do
  call prif_change_team(team, stat)
  call prif_end_team(stat)
  call check(stat == PRIF_STAT_FAILED_IMAGE .and. calls == 2, 'nothing is left to be freed')

  call prif_deallocate_coarrays([before, later], stat, text)
  call check(stat == PRIF_STAT_FAILED_IMAGE .and. text /= '' .and. calls == 4, 'deallocate')
  call prif_deallocate_coarrays([guard, locks], stat)
  call check(stat == PRIF_STAT_FAILED_IMAGE, 'deallocate more')
  call prif_stop(.true._c_bool)
contains
  subroutine finalized(handle, stat, text)
    type(prif_coarray_handle), intent(out) :: handle
    integer(c_int), intent(out) :: stat
    character(len=*), intent(inout), optional :: text
    procedure(prif_coarray_cleanup_interface), pointer :: procedure
    procedure => final
    call prif_allocate_coarray([1_c_int64_t], [integer(c_int64_t) ::], 16_c_size_t, procedure, &
        handle, memory, stat, text)
  end subroutine
  include 'check.inc'
end program
