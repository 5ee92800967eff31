! Images fail in some of forty random rounds, by FAIL IMAGE or a signal; the rounds' statements are the others': failing SEED.
! All images draw the same numbers, so each knows who has failed and what has to be. Run by failed.sh.
program failing
  use iso_fortran_env
  use iso_c_binding
  implicit none
  include 'kill.inc'
  integer(8) :: state
  character(10) :: arg
  integer, save :: x(5)[*], y[*]
  integer(atomic_int_kind), save :: at[*]
  type(event_type), save :: ev(3)[*]
  type(lock_type), save :: lk[*]
  type(team_type) :: t, u
  integer, allocatable :: a(:)[:], b(:, :)[:, :]
  logical, allocatable :: alive(:)
  integer :: me, n, round, k, victim, s, i, r, before, want, living, v(5), total
  call get_command_argument(1, arg)
  read (arg, *) state
  me = this_image(); n = num_images()
  allocate (alive(n)); alive = .true.; living = n
  at = 0
  do round = 1, 40
    x = me*10 + round
    y = me
    sync all (stat=s)
    call one_fails()
    want = merge(0, stat_failed_image, living == n)
    r = next(me)
    before = previous()
    select case (draw(12))
    case (1)
      total = me; call co_sum(total, stat=s)
      call check(s == want .and. total == sum(pack([(i, i=1, n)], alive)), 'co_sum')
    case (2)
      v = me*[1, 2, 3, 4, 5]; r = next(0); call co_max(v, result_image=r, stat=s)
      k = me; if (me == r) k = maxval(pack([(i, i=1, n)], alive))
      call check(s == want .and. all(v == k*[1, 2, 3, 4, 5]), 'co_max')
    case (3)
      v = me; r = next(draw(n)); call co_broadcast(v(::2), r, stat=s)
      call check(s == want .and. all(v(::2) == r) .and. v(2) == me, 'co_broadcast')
    case (4)
      k = draw(20)
      allocate (a(3:k+2)[*], b(2, -1:k)[0:1, -1:*], stat=s)
      call check(s == 0 .and. allocated(a) .and. allocated(b), 'allocate')
      call check(lbound(a, 1) == 3 .and. size(a) == k .and. all(ubound(b) == [2, k]), 'bounds')
      a = me + round; b = me
      sync all (stat=s)
      call check(all(a(:)[r] == r + round) .and. b(2, k)[mod(r - 1, 2), (r - 1)/2 - 1] == r, 'allocated')
      sync all (stat=s)
      deallocate (a, stat=s); call check(s == want .and. .not. allocated(a), 'deallocate')
      deallocate (b, stat=s); call check(s == want .and. .not. allocated(b), 'deallocate')
    case (5)
      form team (1 + mod(me, 2), t)
      change team (t)
        call check(num_images() == count(alive .and. [(mod(i, 2) == mod(me, 2), i=1, n)]), 'team')
        allocate (a(3)[*], stat=s); call check(s == 0, 'allocate in a team')
        a = this_image()
        sync all (stat=s); call check(s == 0, 'sync all in a team')
        call check(all([(a(3)[i] == i, i=1, num_images())]) .and. size(failed_images()) == 0, 'a in a team')
        form team (1 + mod(this_image(), 2), u)
        change team (u)
          total = 1; call co_sum(total, stat=s); call check(total == num_images() .and. s == 0, 'co_sum in a team')
        end team
      end team
      call check(.not. allocated(a), 'end team')
    case (6)
      k = draw(3)
      event post (ev(k)[r], stat=s); call check(s == 0, 'event post')
      do
        event wait (ev(k), stat=s)
        if (s == 0) exit
        call check(s == stat_failed_image, 'event wait')
      end do
    case (7)
      r = next(victim)
      lock (lk[r], stat=s); call check(s == 0 .or. s == 6002, 'lock')
      y[r] = y[r] + 1
      unlock (lk[r], stat=s); call check(s == 0, 'unlock')
      sync all (stat=s)
      if (me == r) call check(y == me + living, 'what was locked')
    case (8)
      r = draw(n)
      call atomic_add(at[r], 1, s); call check(s == merge(0, stat_failed_image, alive(r)), 'atomic_add')
      sync all (stat=s)
      if (me == r) call check(at == living, 'atomics')
      at = 0
    case (9)
      k = draw(n)
      v = x(:)[k, stat=s]; call check(s == merge(0, stat_failed_image, alive(k)), 'get')
      if (alive(k)) call check(all(v == k*10 + round), 'what was got')
      sync all (stat=s)
      if (.not. alive(k)) x(2:3)[k] = 4
      x(2:4:2)[r] = me
      sync all (stat=s)
      call check(x(2) == before .and. x(4) == before, 'put')
    case (10)
      sync all (stat=s)
      call check(num_images() == n .and. num_images(failed=.true.) == n - living, 'num_images')
      call check(all(failed_images() == pack([(i, i=1, n)], .not. alive)), 'failed_images')
    case (11)
      r = next(0)
      critical
        y[r] = y[r] + 2
      end critical
      sync all (stat=s)
      if (me == r) call check(y == me + 2*living, 'critical')
    case (12)
      s = 0
      if (r /= before) sync images ([r, before], stat=s)
      if (r == before .and. r /= me) sync images (r, stat=s)
      call check(s == 0, 'sync images')
      sync images (*, stat=s); call check(s == want, 'sync images *')
    end select
  end do
  sync all (stat=s)
  if (me == next(0)) print '(a)', 'right'
contains
  include 'check.inc'
  subroutine one_fails() ! with an even number of images never the first: it has the heap of the team's coarrays
    logical :: holds
    victim = draw(n)
    if (mod(n, 2) == 0) victim = max(2, victim)
    holds = draw(2) == 1
    if (draw(6) > 1 .or. living == 1 .or. .not. alive(victim)) return
    if (me == victim) then
      if (holds) lock (lk[next(victim)])
      if (draw(2) == 1) i = kill(getpid(), 9_c_int)
      fail image
    end if
    alive(victim) = .false.; living = living - 1
    i = draw(2)
    do while (image_status(victim) == 0)
    end do
  end subroutine
  integer function draw(most)
    integer, intent(in) :: most
    state = modulo(state*1103515245_8 + 12345, 2147483648_8)
    draw = 1 + int(mod(state/65536, int(most, 8)))
  end function
  integer function next(behind) ! the next one that lives
    integer, intent(in) :: behind
    next = 1 + mod(behind, n)
    do while (.not. alive(next))
      next = 1 + mod(next, n)
    end do
  end function
  integer function previous()
    previous = 1 + modulo(me - 2, n)
    do while (.not. alive(previous))
      previous = 1 + modulo(previous - 2, n)
    end do
  end function
end program
