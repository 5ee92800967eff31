! How programs end; stop.sh runs it. The argument says how.
module callback
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine earlier(is_error_stop, quiet, stop_code_int, stop_code_char)
    logical(c_bool), intent(in) :: is_error_stop, quiet
    integer(c_int), intent(in), optional :: stop_code_int
    character(len=*), intent(in), optional :: stop_code_char
    print '(a,3(1x,l1))', 'first', is_error_stop, quiet, present(stop_code_int)
    if (present(stop_code_char)) print '(2a)', 'text ', stop_code_char
  end subroutine
  subroutine last(is_error_stop, quiet, stop_code_int, stop_code_char)
    logical(c_bool), intent(in) :: is_error_stop, quiet
    integer(c_int), intent(in), optional :: stop_code_int
    character(len=*), intent(in), optional :: stop_code_char
    if (is_error_stop .or. .not. quiet .or. present(stop_code_int)) error stop 9
    if (present(stop_code_char)) print '(a)', 'second'
  end subroutine
end module

program ends
  use, intrinsic :: iso_c_binding
  use prif
  use callback
  implicit none
  integer(c_int) :: me, n, stat, image
  integer(c_int), target :: target
  integer(c_int), allocatable :: list(:)
  integer(c_size_t) :: bytes
  character(len=20) :: how, text = ''
  type(c_ptr) :: memory
  integer(c_int64_t), pointer :: word
  procedure(prif_stop_callback_interface), pointer :: p
  procedure(prif_coarray_cleanup_interface), pointer :: nothing => null()
  type(prif_coarray_handle), save :: h ! of zeros
  type(prif_team_type) :: team

  call get_command_argument(1, how)
  if (how == 'early') call prif_num_images(n)
  call prif_init(stat)
  call prif_this_image_no_coarray(this_image=me)
  call prif_num_images(n)
  select case (how)
  case ('stop')
    call prif_stop(.false._c_bool)
  case ('code')
    call prif_stop(.false._c_bool, stop_code_int=3_c_int)
  case ('text')
    call prif_stop(.false._c_bool, stop_code_char='bye')
  case ('quiet')
    call prif_stop(.true._c_bool, stop_code_int=0_c_int)
  case ('error')
    ! The others wait for nobody who comes.
    if (me == n) call prif_error_stop(.false._c_bool)
    call prif_sync_all()
    call prif_sync_all()
  case ('error code')
    if (me == n) call prif_error_stop(.false._c_bool, stop_code_int=7_c_int)
    do
      call prif_sync_memory()
    end do
  case ('error text')
    call prif_error_stop(.false._c_bool, stop_code_char='bad')
  case ('callbacks')
    p => earlier
    call prif_register_stop_callback(p)
    p => last
    call prif_register_stop_callback(p)
    call prif_stop(.true._c_bool, stop_code_char='bye')
  case ('end')
    print '(a)', 'the end'
  case ('stopped')
    ! Image 1 stops; the others learn of it.
    if (me == 1) call prif_stop(.true._c_bool)
    call prif_sync_all(stat)
    if (stat /= PRIF_STAT_STOPPED_IMAGE) error stop 5
    call prif_stopped_images(stopped_images=list)
    if (ubound(list, 1) /= 1 .or. list(1) /= 1) error stop 6
    call prif_image_status(1_c_int, image_status=stat)
    if (stat /= PRIF_STAT_STOPPED_IMAGE) error stop 7
    call prif_sync_images([1_c_int], stat)
    if (stat /= PRIF_STAT_STOPPED_IMAGE) error stop 8
  case ('posted')
    ! An event that is posted to an image that has stopped, and whom the list names then.
    call prif_allocate_coarray([1_c_int64_t], [integer(c_int64_t) ::], 8_c_size_t, nothing, h, memory)
    call c_f_pointer(memory, word)
    word = 0
    call prif_sync_all()
    if (me == 1) call prif_stop(.true._c_bool)
    do
      call prif_event_post(1_c_int, h, 0_c_size_t, stat, text)
      if (stat /= 0) exit
    end do
    if (stat /= PRIF_STAT_STOPPED_IMAGE .or. text == '') error stop 5
    call prif_stopped_images(stopped_images=list)
    if (size(list) /= 1 .or. any(list /= 1)) error stop 6
    call prif_event_post(1_c_int, h, 0_c_size_t)
    call prif_stop(.true._c_bool)
  case ('not allocated')
    call prif_deallocate_coarray(h, stat, text)
    if (stat == 0 .or. text == '') error stop 5
    call prif_deallocate_coarray(h)
  case ('stopped, no stat')
    if (me == 1) call prif_stop(.true._c_bool)
    call prif_sync_all()
  case ('failed')
    ! Image 2 fails; the others learn of it, and go on without it.
    if (me == 2) call prif_fail_image()
    call prif_sync_all(stat)
    if (stat /= PRIF_STAT_FAILED_IMAGE) error stop 5
    call prif_failed_images(failed_images=list)
    if (ubound(list, 1) /= 1 .or. list(1) /= 2) error stop 6
    call prif_image_status(2_c_int, image_status=stat)
    if (stat /= PRIF_STAT_FAILED_IMAGE) error stop 7
    call prif_event_post(2_c_int, h, 0_c_size_t, stat)
    if (stat /= PRIF_STAT_FAILED_IMAGE) error stop 8
    image = me
    call prif_co_sum(image, stat=stat)
    if (image /= n * (n + 1) / 2 - 2) error stop 9
    call prif_stop(.true._c_bool)
  case ('image')
    call get_from_nobody()
  case ('no handle')
    call prif_put(1_c_int, h, 100000_c_size_t, c_loc(target), 4_c_size_t)
  case ('no address')
    call prif_get_indirect(1_c_int, 8_c_intptr_t, c_loc(target), 4_c_size_t)
  case ('index')
    call prif_form_team(7_c_int64_t, team, me + 1_c_int)
  case ('index twice')
    call prif_form_team(7_c_int64_t, team, 1_c_int)
  case ('index with stat')
    call prif_form_team(7_c_int64_t, team, 1_c_int, stat)
    if (any(stat == [0_c_int, PRIF_STAT_OUT_OF_MEMORY])) error stop 5
  case ('index turned')
    call prif_form_team(7_c_int64_t, team, n + 1_c_int - me)
  case ('handle')
    call prif_size_bytes(h, bytes)
  case ('team')
    call prif_this_image_no_coarray(team, image)
  case ('sibling')
    call prif_num_images_with_team_number(9_c_int64_t, image)
  end select
contains
  subroutine get_from_nobody()
    integer(c_int), target :: x
    call prif_get_indirect(n + 1, 0_c_intptr_t, c_loc(x), 4_c_size_t)
  end subroutine
end program
