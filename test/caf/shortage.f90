! A coarray of 64 MB, with an errmsg or without; with "team" in a team of one's own.
program shortage
  use, intrinsic :: iso_fortran_env, only: team_type
  implicit none
  integer, allocatable :: x(:)[:]
  type(team_type) :: own
  character(200) :: said
  character(8) :: how = ''
  integer :: stat
  if (command_argument_count() > 0) call get_command_argument(1, how)
  if (how == '') allocate (x(2**24)[*])
  if (how == 'team') then
    form team (this_image(), own)
    change team (own)
      call get()
    end team
  else
    call get()
  end if
contains
  subroutine get()
    allocate (x(2**24)[*], stat=stat, errmsg=said)
    print '(i0,2a)', stat, ' ', trim(said)
  end subroutine
end program
