! The experiments of the Gemini paper (2011) in coarray Fortran: puts and gets to changing places with one wait at the end, STREAM from a
! peer's arrays, a put hidden behind a computation, halos. Image i of the first half works with image i + n/2, on the other node if
! there are two. Prints "figure,bytes,value,unit", as bench/run wants it. transfer_mpi.c has the same in MPI.
program transfer
  use, intrinsic :: iso_fortran_env, only: int64, real64, event_type
  implicit none
  integer, parameter :: sizes(8) = [1, 8, 64, 256, 2048, 16384, 131072, 524288]
  integer, parameter :: most = 524288, block = 262144, stream = 8 * block, side = 512, turns = 3
  type cell
    integer :: kind = 1
    real(real64) :: t = 1, flow(3) = 0
  end type
  real(real64), save :: area(2 * most)[*], b(stream)[*], c(stream)[*], pushed(block, 2, 2)[*], grid(side, side)[*]
  real(real64) :: local(2 * most), a(stream), edge(side), sink
  type(cell), save :: cells(4, side)[*]
  type(event_type), save :: full[*], free[*]
  integer :: me, n, peer, i, words
  logical :: first
  me = this_image(); n = num_images()
  first = me <= n / 2
  peer = merge(me + n / 2, me - n / 2, first)
  local = me; area = 0; b = me; c = 2 * me; a = 0; grid = me; edge = me; pushed = 0; sink = 0
  sync all
  do i = 0, 7
    words = sizes(i + 1)
    call rate('put_rate', words, .false.)
    call rate('get_rate', words, .true.)
  end do
  if (n == 2) call streams()
  if (n == 2) call overlaps()
  if (n <= 4) call halos()
  call say('done', 0, 0d0, '')
contains
  real(real64) function now()
    integer(int64) :: count, per_second
    call system_clock(count, per_second)
    now = real(count, real64) / real(per_second, real64)
  end function

  subroutine say(figure, bytes, value, unit)
    character(len=*), intent(in) :: figure, unit
    integer, intent(in) :: bytes
    real(real64), intent(in) :: value
    if (me /= 1) return
    print '(a,",",i0,",",es13.6,",",a)', figure, bytes, value, unit
    flush (6)
  end subroutine

  ! Millions a second of all pairs: the place moves by one element from one to the next.
  subroutine rate(figure, words, get)
    character(len=*), intent(in) :: figure
    integer, intent(in) :: words
    logical, intent(in) :: get
    real(real64) :: begin, took, best
    integer :: turn, i, count, at
    count = max(8, min(merge(500, merge(4000, 2000, words == 1), get), most / words))
    best = 0
    do turn = 1, turns
      sync all
      begin = now()
      if (first) then
        do i = 1, count
          at = 1 + mod(i - 1, most)
          if (words == 1 .and. get) then
            local(at) = area(at)[peer]
          else if (words == 1) then
            area(at)[peer] = local(at)
          else if (get) then
            local(at:at + words - 1) = area(at:at + words - 1)[peer]
          else
            area(at:at + words - 1)[peer] = local(at:at + words - 1)
          end if
        end do
        sync memory
      end if
      took = now() - begin
      call co_max(took)
      best = max(best, n / 2 * count / took)
    end do
    call say(figure, 8 * words, best / 1e6, 'M/s')
  end subroutine

  ! Bytes of all arrays that a statement names. `far`: how what it reads comes here.
  subroutine streams()
    character(len=*), parameter :: operation(4) = [character(len=5) :: 'copy', 'scale', 'add', 'triad']
    character(len=*), parameter :: way(4) = [character(len=9) :: 'loop', 'statement', 'blocks', 'pushed']
    integer :: op, turn, how, k, arrays, count
    real(real64) :: begin, best, took
    do op = 1, 4
      arrays = merge(2, 3, op <= 2)
      do how = 1, 4
        best = 0
        count = merge(1024, stream, how == 1)
        do turn = 1, turns
          sync all
          begin = now()
          select case (how)
          case (1)
            if (first) call by_element(op, count)
          case (2)
            if (first) call by_statement(op)
          case (3)
            do k = 1, merge(stream, 0, first), block
              call one_block(op, k)
            end do
          case (4)
            call by_pushes(op)
          end select
          took = now() - begin
          call co_max(took)
          best = max(best, 8d-6 * arrays * count / took)
        end do
        call say('stream_'//trim(operation(op))//'_'//trim(way(how)), 0, best, 'MB/s')
      end do
    end do
    sink = sum(a)
  end subroutine

  subroutine by_element(op, count)
    integer, intent(in) :: op, count
    integer :: i
    select case (op)
    case (1)
      do i = 1, count; a(i) = b(i)[peer]; end do
    case (2)
      do i = 1, count; a(i) = 3 * b(i)[peer]; end do
    case (3)
      do i = 1, count; a(i) = b(i)[peer] + c(i)[peer]; end do
    case (4)
      do i = 1, count; a(i) = b(i)[peer] + 3 * c(i)[peer]; end do
    end select
  end subroutine

  subroutine by_statement(op)
    integer, intent(in) :: op
    select case (op)
    case (1); a(:) = b(:)[peer]
    case (2); a(:) = 3 * b(:)[peer]
    case (3); a(:) = b(:)[peer] + c(:)[peer]
    case (4); a(:) = b(:)[peer] + 3 * c(:)[peer]
    end select
  end subroutine

  subroutine one_block(op, k)
    integer, intent(in) :: op, k
    pushed(:, 1, 1) = b(k:k + block - 1)[peer]
    if (op >= 3) pushed(:, 2, 1) = c(k:k + block - 1)[peer]
    call combine(op, k, 1)
  end subroutine

  subroutine combine(op, k, slot)
    integer, intent(in) :: op, k, slot
    select case (op)
    case (1); a(k:k + block - 1) = pushed(:, 1, slot)
    case (2); a(k:k + block - 1) = 3 * pushed(:, 1, slot)
    case (3); a(k:k + block - 1) = pushed(:, 1, slot) + pushed(:, 2, slot)
    case (4); a(k:k + block - 1) = pushed(:, 1, slot) + 3 * pushed(:, 2, slot)
    end select
  end subroutine

  ! The peer puts the next block while this one is combined: Fortran has no get that goes on.
  subroutine by_pushes(op)
    integer, intent(in) :: op
    integer :: k, slot
    slot = 1
    do k = 1, stream, block
      if (first) then
        event wait (full)
        call combine(op, k, slot)
        event post (free[peer])
      else
        if (k > 2 * block) then
          event wait (free)
        end if
        pushed(:, 1, slot)[peer] = b(k:k + block - 1)
        if (op >= 3) pushed(:, 2, slot)[peer] = c(k:k + block - 1)
        event post (full[peer])
      end if
      slot = 3 - slot
    end do
    if (.not. first) then
      event wait (free, until_count=2)
    end if
  end subroutine

  ! 1 - (both - computing) / putting, for a computation as long as the put. What the assignment itself takes cannot be hidden: its source may
  ! be changed when it is over.
  subroutine overlaps()
    real(real64) :: begin, put, both, assigned
    integer :: words, i
    words = 1
    do while (words <= 65536)
      put = 1; both = 1; assigned = 1
      do i = 1, 20
        begin = now()
        if (first) then
          area(1:words)[peer] = local(1:words)
          assigned = min(assigned, now() - begin)
          sync memory
          put = min(put, now() - begin)
        end if
      end do
      do i = 1, 20
        begin = now()
        if (first) then
          area(1:words)[peer] = local(1:words)
          call compute(put)
          sync memory
          both = min(both, now() - begin)
        end if
      end do
      sync all
      call say('overlap', 8 * words, 100 * max(0d0, 2 * put - both) / put, '%')
      call say('after_assignment', 8 * words, 100 * (1 - assigned / put), '%')
      words = words * 16
    end do
  end subroutine

  subroutine compute(seconds)
    real(real64), intent(in) :: seconds
    real(real64) :: end
    integer :: i
    end = now() + seconds
    do while (now() < end)
      do i = 1, 20
        sink = sink * 0.5 + i
      end do
    end do
  end subroutine

  ! Both of a pair put an edge into the other's array and wait for the other.
  subroutine halos()
    real(real64) :: begin, best(3)
    integer :: turn, i, count
    best = 1e9
    count = 30
    do turn = 1, turns
      sync all
      begin = now()
      do i = 1, count
        sync images (peer)
      end do
      best(1) = min(best(1), now() - begin)
      begin = now()
      do i = 1, count
        grid(1, :)[peer] = edge
        sync images (peer)
      end do
      best(2) = min(best(2), now() - begin)
      begin = now()
      do i = 1, count
        cells(1, :)[peer]%t = edge
        sync images (peer)
      end do
      best(3) = min(best(3), now() - begin)
    end do
    best = best * 1e6 / count
    call say('sync_images', 0, best(1), 'us')
    call say('halo_row', 8 * side, best(2), 'us')
    call say('halo_derived', 8 * side, best(3), 'us')
  end subroutine
end program
