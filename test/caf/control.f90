! Atomics, locks, critical sections and events (traps 8, 20, 21).
program control
  use iso_fortran_env
  use iso_c_binding, only: c_int
  implicit none
  interface ! OpenSHMEM's, which reach images of other teams
    subroutine shmem_init() bind(c)
    end subroutine
    subroutine shmem_finalize() bind(c)
    end subroutine
    integer(c_int) function fetch_add(at, value, pe) bind(c, name='shmem_int_atomic_fetch_add')
      import :: c_int
      integer(c_int), intent(inout) :: at
      integer(c_int), value :: value, pe
    end function
  end interface
  type(team_type) :: team
  type(lock_type), save :: lock[*], locks(3)[*]
  type(event_type), save :: event[*], events(2)[*]
  type(event_type), allocatable :: late(:)[:]
  integer(atomic_int_kind), save :: a[*], many(4)[*]
  logical(atomic_logical_kind), save :: flag[*]
  integer, save :: sum[*], payload(100)[*], inside[*]
  integer :: me, n, i, old, got, stat, count, next
  logical :: acquired, was
  character(len=40) :: text
  me = this_image(); n = num_images(); next = 1 + mod(me, n)
  a = 0; flag = .false.; sum = 0; many = 0
  sync all
  ! atomics
  do i = 1, 50
    call atomic_add(a[1], 1)
    call atomic_fetch_add(many(2)[n], me, old)
  end do
  call atomic_xor(many(3)[1], ishft(1, me))
  call atomic_or(many(4)[n], ishft(1, me))
  sync all
  call atomic_ref(got, a[1]); call check(got == 50 * n, 'atomic_add')
  call atomic_ref(got, many(2)[n]); call check(got == 50 * n * (n + 1) / 2, 'atomic_fetch_add')
  call atomic_ref(got, many(3)[1]); call check(got == 2**(n + 1) - 2, 'atomic_xor')
  call atomic_fetch_and(many(4)[n], not(0), got); call check(got == 2**(n + 1) - 2, 'atomic_or')
  call atomic_define(flag[next], .true., stat); call check(stat == 0, 'atomic_define')
  sync all
  call atomic_ref(was, flag); call check(was, 'logical')
  if (me == 1) then
    call atomic_define(a, 5)
    call atomic_cas(a[1], old, 5, 9); call check(old == 5 .and. a == 9, 'atomic_cas')
    call atomic_cas(a[1], old, 5, 1); call check(old == 9 .and. a == 9, 'atomic_cas that fails')
  end if
  sync all
  ! locks
  do i = 1, 20
    lock (locks(2)[n])
    sum[1] = sum[1] + 1
    unlock (locks(2)[n])
  end do
  sync all
  call check(sum[1] == 20 * n, 'lock')
  sync all
  if (me == 1) then
    lock (lock[1], stat=stat); call check(stat == 0, 'lock with stat')
    lock (lock[1], stat=stat, errmsg=text)
    call check(stat == stat_locked .and. text == 'Already locked', 'second lock by the holder')
    lock (lock[1], acquired_lock=acquired, stat=stat)
    call check(stat == stat_locked, 'second lock that would not wait')
  end if
  sync all
  if (me == n .and. n > 1) then
    lock (lock[1], acquired_lock=acquired); call check(.not. acquired, 'acquired_lock= does not wait')
    unlock (lock[1], stat=stat); call check(stat == stat_locked_other_image, 'unlock of what another has')
  end if
  sync all
  if (me == 1) then
    unlock (lock[1])
    unlock (lock[1], stat=stat, errmsg=text)
    call check(stat /= 0 .and. text == 'Variable is not locked', 'unlock of what nobody has')
  end if
  sync all
  ! critical
  sum = 0
  sync all
  do i = 1, 20
    critical
      sum[1] = sum[1] + 1
    end critical
  end do
  sync all
  call check(sum[1] == 20 * n, 'critical')
  ! of teams of one image each: the others are kept out all the same
  call shmem_init()
  inside = 0
  form team (me, team)
  sync all
  change team (team)
    do i = 1, 200
      critical
        call check(fetch_add(inside, 1, 0) == 0, 'critical keeps out images of other teams')
        old = fetch_add(inside, 0, 0)
        call check(fetch_add(inside, -1, 0) == 1, 'and until its end')
      end critical
    end do
  end team
  sync all
  ! events
  do i = 1, 10
    payload(:)[next] = me * 100 + i
    event post (event[next])
    event wait (event)
    call check(all(payload == merge(n, me - 1, me == 1) * 100 + i), 'what was put before the post')
    event post (events(1)[merge(n, me - 1, me == 1)])
    event wait (events(1))
  end do
  do i = 1, 3
    event post (events(2)[1], stat=stat); call check(stat == 0, 'event post with stat')
  end do
  sync all
  if (me == 1) then
    event wait (events(2), until_count=3 * n - 1)
    call event_query(events(2), count, stat); call check(count == 1 .and. stat == 0, 'event_query')
    event wait (events(2), until_count=-5)
    call event_query(events(2), count); call check(count == 0, 'until_count below 1')
  end if
  allocate (late(2)[*])
  event post (late(2)[next])
  event wait (late(2))
  call event_query(late(1), count); call check(count == 0, 'allocatable events')
  sync all
  call shmem_finalize()
contains
  include 'check.inc'
end program
