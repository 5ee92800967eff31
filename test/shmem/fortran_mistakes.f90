! test: none
! Mistakes of a Fortran program, one for each argument. fortran_mistakes.sh judges.
program fortran_mistakes
  implicit none
  include 'shmem.fh'
  integer, external :: shmem_my_pe, shmem_n_pes
  integer*8, external :: shmem_int8_fadd
  integer, save :: data(4) = 0, lock = 0, psync(SHMEM_BARRIER_SYNC_SIZE) = SHMEM_SYNC_VALUE
  integer*8, save :: wide = 0
  integer*8, allocatable :: heap(:)
  integer*8 :: old
  integer :: me, n, err
  character(20) :: mistake

  call get_command_argument(1, mistake)
  call shmem_init
  me = shmem_my_pe()
  n = shmem_n_pes()
  allocate (heap(4))
  call shmem_barrier_all
  select case (mistake)
  case ('negative')
    call shmem_integer_put(data, data, -1, 0)
  case ('pe')
    call shmem_integer_put(data, data, 1, n)
  case ('allocatable')
    call shmem_put8(heap, heap, 1, 0)
  case ('atomic')
    old = shmem_int8_fadd(heap, 1_8, 0)
  case ('atomic-pe')
    call shmem_int8_inc(wide, -1)
  case ('stack-lock')
    call with_lock_on_stack
  case ('relock')
    if (me == 0) call shmem_set_lock(lock)
    if (me == 0) call shmem_set_lock(lock)
  case ('unlock')
    call shmem_clear_lock(lock)
  case ('compare')
    call shmem_int4_wait_until(data, 77, 0)
  case ('stride')
    call shmem_integer_iput(data, data, 0, 1, 1, 0)
  case ('reduce')
    call shmem_int4_sum_to_all(data, data, -1, 0, 0, n, data, psync)
  case ('set')
    call shmem_barrier(0, 0, n + 1, psync)
  case ('abort')
    call shpalloc(old, 0, err, 1)
  case ('deallocate')
    old = loc(data)
    call shpdeallc(old, err, 1)
  case ('exit')
    if (me == 0) call shmem_global_exit(3)
  case ('lock-kept')
    if (me == 0) call shmem_set_lock(lock)
    call shmem_barrier_all
    if (me /= 0) call shmem_set_lock(lock)
  end select
  if (mistake /= 'lock-kept') call shmem_barrier_all
  call shmem_finalize
contains
  recursive subroutine with_lock_on_stack
    integer :: lock
    lock = 0
    call shmem_set_lock(lock)
  end subroutine
end program
