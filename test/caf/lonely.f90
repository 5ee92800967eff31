! What waits for an image that does not come, or gets a team's number that is none: lonely.sh says which.
program lonely
  use, intrinsic :: iso_fortran_env, only: event_type, team_type
  implicit none
  type(event_type) :: done[*]
  type(team_type) :: team
  character(10) :: how
  call get_command_argument(1, how)
  if (this_image() == 1) then
    if (how == 'images') sync images (2)
    if (how == 'event') event wait (done)
  end if
  if (how == 'team') form team (-1, team)
  sync all
end program
