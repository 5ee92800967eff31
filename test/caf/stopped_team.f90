! A member that has stopped is told of in teams other than the initial one, whichever of them is current (trap 17).
program stopped_team
  use iso_fortran_env
  implicit none
  type(team_type) :: most, inner
  integer :: me, n, stat, got
  me = this_image(); n = num_images()
  form team (merge(1, 2, me > 1), most)
  if (me == 1) stop ! the others never meet it again
  change team (most)
    form team (1, inner)
    sync all
    if (me == n) stop
    sync all (stat=stat)
    call check(stat == stat_stopped_image, 'sync all in a team')
    got = me
    call co_sum(got, stat=stat)
    call check(stat == stat_stopped_image .and. got == me, 'co_sum in a team')
    sync all (stat=stat)
    call check(stat == stat_stopped_image, 'and again')
    sync images (n - 1, stat=stat)
    call check(stat == stat_stopped_image, 'sync images in a team')
    call check(size(stopped_images()) >= 1, 'stopped_images')
    call check(image_status(n - 1) == stat_stopped_image, 'image_status')
    stop
  end team
contains
  include 'check.inc'
end program
