! Teams: odd and even, in turned order, nested; siblings by number; coarrays that END TEAM frees.
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
    calls = calls + merge(1, 100, bytes == 16)
  end subroutine
end module

program teams
  use, intrinsic :: iso_c_binding
  use prif
  use finals
  implicit none
  integer(c_int) :: me, n, mine, size, stat, image, odds, i
  integer(c_int), target :: value
  integer(c_int), allocatable :: list(:)
  integer(c_int64_t) :: number
  type(prif_team_type) :: parity, alone, team, copy
  type(prif_coarray_handle) :: outer, inner
  type(c_ptr) :: memory
  integer(c_int), pointer :: x
  procedure(prif_coarray_cleanup_interface), pointer :: procedure
  character(len=60) :: text

  call start()
  odds = (n + 1) / 2
  call prif_team_number(team_number=number)
  call check(number == -1, 'number of the initial team')
  call coarray(4, outer, memory)
  call c_f_pointer(memory, x)
  x = me

  do i = 1, 3
    ! Image n is the first of its team: new_index counts from the end.
    call prif_form_team(int(2 - mod(me, 2), c_int64_t), parity, (n - me) / 2 + 1, stat)
    call check(stat == 0, 'form_team')
    call prif_num_images_with_team(parity, size)
    call check(size == merge(odds, n - odds, mod(me, 2) == 1), 'size before CHANGE TEAM')
    call prif_change_team(parity)
    call prif_team_number(team_number=number)
    call check(number == 2 - mod(me, 2), 'team_number')
    call prif_num_images_with_team_number(number, size)
    call check(size == merge(odds, n - odds, mod(me, 2) == 1), 'size of the current team')
    call prif_num_images_with_team_number(1_c_int64_t, size)
    call check(size == odds, 'size of a sibling')
    call prif_num_images_with_team_number(-1_c_int64_t, size)
    call check(size == n, 'size of the initial team')
    call prif_this_image_no_coarray(this_image=mine)
    call check(mine == (n - me) / 2 + 1, 'new_index')

    procedure => final
    call prif_allocate_coarray([1_c_int64_t], [integer(c_int64_t) ::], 16_c_size_t, procedure, &
        inner, memory)
    ! The first image, by its index in the initial team.
    call prif_initial_team_index_with_team_number(inner, [1_c_int64_t], number, image)
    call check(image == n - mod(n - me, 2), 'first image of the team')
    call prif_initial_team_index_with_team_number(inner, [int(odds, c_int64_t)], 1_c_int64_t, image)
    call check(image == 1, 'last image of a sibling')
    call prif_image_index_with_team_number(inner, [odds + 1_c_int64_t], 1_c_int64_t, image)
    call check(image == 0, 'no image of a sibling')
    call prif_image_index_with_team_number(inner, [int(n, c_int64_t)], -1_c_int64_t, image)
    call check(image == n, 'image_index in the initial team')
    call prif_initial_team_index_with_team(inner, [int(mine, c_int64_t)], parity, image)
    call check(image == me, 'initial_team_index')
    call prif_image_index_with_team(inner, [int(mine, c_int64_t)], parity, image)
    call check(image == mine, 'image_index')

    value = me
    call prif_co_sum(value)
    call check(value == merge(odds * odds, (n - odds) * (n - odds + 1), mod(me, 2) == 1), &
        'co_sum in a team')
    ! An inner team of one image; its parent is a sibling of nobody's.
    call prif_form_team(int(mine, c_int64_t), alone)
    call prif_change_team(alone)
    call prif_num_images(size)
    call check(size == 1, 'a team of one image')
    call prif_get_team(PRIF_PARENT_TEAM, team)
    call prif_team_number(team, number)
    call check(number == 2 - mod(me, 2), 'the parent')
    call prif_get_team(PRIF_INITIAL_TEAM, team)
    call prif_this_image_no_coarray(team, image)
    call check(image == me, 'the initial team')
    copy = alone
    call prif_get_team(team=team)
    call prif_sync_team(team)
    call prif_sync_team(copy)
    call prif_end_team()
    call prif_sync_team(parity, stat)
    call check(stat == 0, 'sync_team')
    call prif_stopped_images(parity, list)
    call check(ubound(list, 1) == 0, 'stopped_images of a team')
    call prif_sync_images()
    call prif_end_team(stat)
    call check(stat == 0 .and. calls == i, 'END TEAM frees what was allocated inside')
  end do

  call prif_image_status(1_c_int, parity, stat)
  call check(stat == 0, 'image_status of a team')
  call prif_change_team(alone, stat, text)
  call check(stat /= 0 .and. text(:12) == 'CHANGE TEAM:', 'a team of another parent')
  call prif_end_team(stat)
  call check(stat /= 0, 'END TEAM of the initial team')
  call prif_form_team(-5_c_int64_t, team, stat=stat)
  call check(stat /= 0, 'a team of this number')
  call prif_get(mod(me, n) + 1, outer, 0_c_size_t, c_loc(value), 4_c_size_t)
  call check(value == mod(me, n) + 1, 'a coarray from before')
  call prif_sync_all()
contains
  include 'check.inc'
end program
