! An image fails, by FAIL IMAGE or by a signal, and the others go on (traps 17 and 18): stat= of everything, failed_images,
! the locks of the dead, teams and memory of the living. `failed HOW`: word or kill; run by failed.sh, on 3 or more images.
! `failed posts`: all but one post an event and are killed; each post counts.
program failed
  use iso_fortran_env
  use iso_c_binding
  implicit none
  include 'kill.inc'
  integer, parameter :: free_from_failed = 6002
  type(lock_type), save :: lck[*]
  type(event_type), save :: evt[*]
  type(team_type) :: halves
  integer, save :: x[*], arr(100)[*]
  integer, allocatable :: list(:), box(:)[:], made(:)[:]
  integer(atomic_int_kind), save :: counter[*]
  type part
    integer :: k
    integer, allocatable :: v(:)
  end type
  type(part), save :: parts[*]
  integer :: me, n, dead, stat, i, got, before(3)
  character(len=60) :: text
  character(len=8) :: how
  logical :: critical_works
  call get_command_argument(1, how)
  me = this_image(); n = num_images(); dead = n
  x = me; arr = me
  parts%k = me; parts%v = [me, me]
  allocate (made(10)[*])
  call move_alloc(made, box)
  box = me
  sync all
  call check(image_status(dead) == 0 .and. size(failed_images()) == 0, 'all run')
  sync all
  if (how == 'posts') then
    if (me > 1) then
      event post (evt[1])
      i = kill(getpid(), 9_c_int)
    end if
    do while (num_images(failed=.true.) < n - 1)
      sync all (stat=stat)
    end do
    call event_query(evt, got)
    call check(got == n - 1, 'posts of the dead')
    print '(a)', 'right'
    stop
  end if
  if (me == dead) then
    lock (lck[1])
    event post (evt[1])
    if (how == 'kill') i = kill(getpid(), 9_c_int)
    fail image
    call check(.false., 'FAIL IMAGE returned')
  end if
  if (me == 1) then
    event wait (evt)
    event wait (evt, stat=stat)
    call check(stat == stat_failed_image .and. any(failed_images() == dead), 'event wait')
    lock (lck[1], stat=stat)
    call check(stat == free_from_failed, 'a lock that the dead had')
    unlock (lck[1], stat=stat)
    call check(stat == 0, 'unlock')
  else if (me == 2) then
    do
      got = x[dead, stat=stat]
      if (stat /= 0) exit
    end do
    call check(any(failed_images() == dead), 'failed_images names whom stat= has told of')
  end if
  sync all (stat=stat, errmsg=text)
  call check(stat == stat_failed_image, 'sync all')
  call check(text == 'SYNC ALL failed - there are failed images', 'errmsg')
  call check(image_status(dead) == stat_failed_image .and. image_status(me) == 0, 'image_status')
  list = failed_images()
  call check(size(list) == 1 .and. list(1) == dead, 'failed_images')
  call check(size(stopped_images()) == 0 .and. num_images() == n, 'nobody stopped')
  call check(num_images(failed=.true.) == 1 .and. num_images(failed=.false.) == n - 1, 'num_images')

  ! Every statement says so, and the living go on.
  sync images (*, stat=stat)
  call check(stat == stat_failed_image, 'sync images *')
  if (me == 1) sync images (2, stat=stat)
  if (me == 2) sync images (1, stat=stat)
  if (me <= 2) call check(stat == 0, 'sync images of the living')
  if (me == 1) sync images (dead, stat=stat)
  if (me == 1) call check(stat == stat_failed_image, 'sync images with the dead')
  got = -1
  got = x[dead, stat=stat]
  call check(stat == stat_failed_image, 'get')
  got = x[1, stat=stat]
  call check(stat == 0 .and. got == 1, 'get of the living')
  x[dead, stat=stat] = 5 ! gfortran 12 drops the stat
  before = arr(1:5:2)[dead, stat=stat]
  call check(stat == stat_failed_image, 'get of a section')
  event post (evt[dead], stat=stat)
  call check(stat == stat_failed_image, 'event post')
  lock (lck[dead], stat=stat)
  call check(stat == stat_failed_image, 'lock of the dead')
  call atomic_add(counter[dead], 1, stat)
  call check(stat == stat_failed_image, 'atomic')
  if (me == 1) then ! gfortran 12 drops these as well: nothing is assigned
    arr(2:4)[1] = arr(2:4)[dead, stat=stat]
    arr(2)[1] = parts[dead, stat=stat]%k
    arr(3:4)[1] = parts[dead, stat=stat]%v
    arr(2:4)[dead, stat=stat] = arr(2:4)[2]
    parts[dead, stat=stat]%k = arr(1)[2]
    parts[dead, stat=stat]%k = 1
    parts[dead, stat=stat]%v = [1, 2]
    call check(all(arr == 1), 'what the dead have')
  end if
  call atomic_add(counter[1], 1)
  sync all (stat=stat)
  if (me == 1) call check(counter == n - 1, 'atomics of the living')

  got = me
  call co_sum(got, stat=stat)
  call check(stat == stat_failed_image, 'co_sum')
  call check(got == n * (n + 1) / 2 - dead, 'co_sum of the living')
  before = [me, 2 * me, 3 * me]
  call co_broadcast(before, 1, stat=stat)
  call check(stat == stat_failed_image .and. all(before == [1, 2, 3]), 'co_broadcast of a living one')
  call co_broadcast(before, dead, stat=stat)
  call check(stat == stat_failed_image, 'co_broadcast of the dead')
  got = 100 + me
  call co_max(got, 1, stat=stat)
  if (me == 1) call check(got == 100 + n - 1, 'co_max')
  critical_works = .false.
  critical
    critical_works = .true.
  end critical
  call check(critical_works, 'critical')

  ! Memory and teams of the living; gfortran gives these no stat.
  deallocate (box, stat=stat)
  call check(stat == stat_failed_image .and. .not. allocated(box), 'deallocate')
  allocate (box(0:49)[*], stat=stat) ! with another stat gfortran would not set the bounds
  call check(stat == 0 .and. allocated(box) .and. all([lbound(box), ubound(box)] == [0, 49]), 'allocate')
  box = me
  sync all (stat=stat)
  call check(all(box(:)[1] == 1), 'what was allocated')
  form team (1 + mod(me, 2), halves)
  change team (halves)
    call check(num_images() == count([(mod(i, 2) == mod(me, 2) .and. i /= dead, i = 1, n)]), 'team of the living')
    got = 1
    call co_sum(got, stat=stat)
    call check(stat == 0 .and. got == num_images(), 'co_sum of a team without dead')
    sync all (stat=stat)
    call check(stat == 0, 'sync of a team without dead')
  end team
  sync all (stat=stat)
  call check(stat == stat_failed_image, 'sync all at the end')
  if (me == 1) print '(a)', 'right'
contains
  include 'check.inc'
end program
