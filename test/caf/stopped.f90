! What the others see of an image that has terminated (trap 17); its coarrays stay readable.
program stopped
  use iso_fortran_env
  implicit none
  integer, save :: x[*]
  integer :: me, n, stat
  character(len=60) :: text
  integer, allocatable :: list(:)
  me = this_image(); n = num_images()
  x = me * 11
  sync all
  call check(image_status(n) == 0 .or. me == n, 'running')
  sync all
  if (me == n) stop
  if (me == 1) then
    sync images (n, stat=stat)
    call check(stat == stat_stopped_image, 'sync images with one that has stopped')
    sync images (n, stat=stat)
    call check(stat == stat_stopped_image, 'and again')
    call check(image_status(n) == stat_stopped_image, 'image_status')
  end if
  sync all (stat=stat, errmsg=text)
  call check(stat == stat_stopped_image, 'sync all')
  call check(text == 'SYNC ALL failed - there are stopped images', 'errmsg')
  list = stopped_images()
  call check(size(list) == 1 .and. list(1) == n, 'stopped_images')
  call check(size(failed_images()) == 0 .and. num_images() == n, 'nobody failed')
  call check(x[n] == n * 11, 'coarrays of a stopped image')
  sync all (stat=stat)
  call check(stat == stat_stopped_image, 'sync all again')
contains
  include 'check.inc'
end program
