! What waits for an image that does not come, gets a team's number that is none, or is a collective subroutine in which
! one image has nothing: lonely.sh says which.
program lonely
  use, intrinsic :: iso_fortran_env, only: event_type, team_type
  implicit none
  type(event_type) :: done[*]
  type(team_type) :: team
  character(10) :: how
  character(:), allocatable :: text
  integer :: x(3)
  call get_command_argument(1, how)
  if (this_image() == 1) then
    if (how == 'images') sync images (2)
    if (how == 'event') event wait (done)
  end if
  if (how == 'team') form team (-1, team)
  x = 1
  if (how == 'sum') call co_sum(x(1:this_image() - 1)) ! nothing on image 1
  if (how == 'text' .and. this_image() == 1) text = 'image 2 has none'
  if (how == 'text') call co_broadcast(text, 1)
  sync all
end program
