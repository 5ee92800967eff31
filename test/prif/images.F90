! Startup, image queries, constants, an image's index in a grid of cosubscripts.
program images
  use, intrinsic :: iso_c_binding
  use prif
  implicit none
  integer(c_int) :: me, n, stat, image, initial
  integer(c_int), allocatable :: list(:)
  integer(c_int64_t) :: sub(2), one(1), lower, both(2)
  integer(c_size_t) :: sizes(2)
  integer :: i, j
  type(prif_coarray_handle) :: grid, line
  type(c_ptr) :: memory
  procedure(prif_coarray_cleanup_interface), pointer :: nothing
  type(prif_event_type) :: event
  type(prif_lock_type) :: lock
  type(prif_critical_type) :: critical
  type(prif_notify_type) :: notify

  call start()
  call check(PRIF_VERSION_MAJOR == 0 .and. PRIF_VERSION_MINOR == 8, 'version')
  call prif_init(stat)
  call check(stat == PRIF_STAT_ALREADY_INIT, 'init twice')
  call check(me >= 1 .and. me <= n, 'this_image')
  call check(distinct([PRIF_STAT_FAILED_IMAGE, PRIF_STAT_STOPPED_IMAGE, PRIF_STAT_LOCKED, &
      PRIF_STAT_LOCKED_OTHER_IMAGE, PRIF_STAT_UNLOCKED, PRIF_STAT_UNLOCKED_FAILED_IMAGE, &
      PRIF_STAT_OUT_OF_MEMORY, PRIF_STAT_ALREADY_INIT, 0]), 'stat constants')
  call check(distinct([PRIF_CURRENT_TEAM, PRIF_PARENT_TEAM, PRIF_INITIAL_TEAM]), 'levels')
  call check(all([storage_size(event), storage_size(lock), storage_size(critical), &
      storage_size(notify)] <= 64 * 8), 'sizes of objects')

  call prif_image_status(me, image_status=stat)
  call check(stat == 0, 'image_status')
  call prif_failed_images(failed_images=list)
  call check(size(list) == 0, 'failed_images')
  call prif_stopped_images(stopped_images=list)
  call check(size(list) == 0, 'stopped_images')

  ! real :: grid[0:1, -3:*]
  nothing => null()
  call prif_allocate_coarray([0_c_int64_t, -3_c_int64_t], [1_c_int64_t], 8_c_size_t, nothing, &
      grid, memory)
  call prif_lcobound_no_dim(grid, both)
  call check(all(both == [0, -3]), 'lcobound')
  call prif_ucobound_no_dim(grid, both)
  call check(all(both == [1, -3 + (n + 1) / 2 - 1]), 'ucobound')
  call prif_lcobound_with_dim(grid, 2_c_int, lower)
  call check(lower == -3, 'lcobound of a dimension')
  call prif_ucobound_with_dim(grid, 1_c_int, lower)
  call check(lower == 1, 'ucobound of a dimension')
  call prif_coshape(grid, sizes)
  call check(all(sizes == [2, (n + 1) / 2]), 'coshape')
  image = 0
  do j = -3, -3 + (n + 1) / 2 - 1
    do i = 0, 1
      image = image + 1
      sub = [i, j]
      call prif_image_index(grid, sub, stat)
      call check(stat == merge(image, 0, image <= n), 'image_index')
      call prif_initial_team_index(grid, sub, initial, stat)
      call check(initial == merge(image, 0, image <= n), 'initial_team_index')
      call check((stat == 0) .eqv. image <= n, 'stat of initial_team_index')
      if (image /= me) cycle
      call prif_this_image_with_coarray(grid, cosubscripts=both)
      call check(all(both == sub), 'cosubscripts')
      call prif_this_image_with_dim(grid, 2_c_int, cosubscript=lower)
      call check(lower == j, 'a cosubscript')
    end do
  end do
  call prif_image_index(grid, [2_c_int64_t, -3_c_int64_t], image)
  call check(image == 0, 'a cosubscript out of bounds')
  call prif_image_index(grid, [0_c_int64_t, huge(1_c_int64_t) - 3], image)
  call check(image == 0, 'a cosubscript far out of bounds')

  ! The same memory as line[5:*], 4 bytes on.
  call prif_alias_create(grid, [5_c_int64_t], [integer(c_int64_t) ::], 4_c_size_t, line)
  call prif_this_image_with_coarray(line, cosubscripts=one)
  call check(one(1) == 4 + me, 'cosubscript of an alias')
  call prif_alias_destroy(line)
  call prif_deallocate_coarray(grid)
  call prif_stop(.true._c_bool)
contains
  logical function distinct(values)
    integer(c_int), intent(in) :: values(:)
    integer :: i
    distinct = all([(count(values == values(i)) == 1, i=1, size(values))])
  end function
  include 'check.inc'
end program
