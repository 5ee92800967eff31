! OpenSHMEM's Fortran interface: queries, atomics, waits, locks, memory. fortran.c has the sizes of what is moved,
! fortran_reductions.f90 the reductions.
program fortran
  implicit none
  include 'mpp/shmem.fh'
  integer, external :: shmem_my_pe, shmem_n_pes, my_pe, num_pes, shmem_test_lock, shmem_swap
  integer*4, external :: shmem_int4_fadd, shmem_int4_finc, shmem_int4_cswap, shmem_int4_swap, shmem_int4_fetch
  integer*8, external :: shmem_int8_fadd, shmem_int8_finc, shmem_int8_cswap, shmem_int8_swap, shmem_int8_fetch
  real*4, external :: shmem_real4_swap, shmem_real4_fetch
  real*8, external :: shmem_real8_swap, shmem_real8_fetch
  integer, save :: psync(SHMEM_SYNC_SIZE) = SHMEM_SYNC_VALUE
  integer*4, save :: i4 = 5, lock = 0, from4(4), to4(4)
  integer*8, save :: i8 = 5
  real*4, save :: r4 = 5
  real*8, save :: r8 = 5
  character(20), save :: text
  character(SHMEM_MAX_NAME_LEN) :: name
  integer :: me, n, next, before, i, major, minor, err, block(1)
  integer*8 :: old
  pointer (at, block)

  call start_pes(0)
  me = shmem_my_pe()
  n = shmem_n_pes()
  next = mod(me + 1, n)
  before = mod(me + n - 1, n)
  call check(me == my_pe() .and. n == num_pes() .and. shmem_pe_accessible(next), 'who')
  call check(shmem_addr_accessible(i4, next) .and. .not. shmem_pe_accessible(n), 'accessible')
  call check(shmem_ptr(i4, me) == loc(i4), 'shmem_ptr')
  call shmem_info_get_version(major, minor)
  call shmem_info_get_name(name)
  call check(major == SHMEM_MAJOR_VERSION .and. minor == SHMEM_MINOR_VERSION, 'version')
  call check(name == SHMEM_VENDOR_STRING, 'name')
  name(1:6) = '(((((('
  call shmem_info_get_name(name(1:4))
  call check(name(1:6) == 'Weft((', 'a short name')

  ! A string travels with a length that nobody asks for.
  text = 'nothing'
  call shmem_barrier_all
  call shmem_character_put(text, 'from the one before', 19, next)
  call shmem_barrier_all
  call check(text == 'from the one before', 'shmem_character_put')

  ! Each PE changes the next one's; nobody else does.
  call check(shmem_int4_fadd(i4, 2, next) == 5 .and. shmem_int4_finc(i4, next) == 7, 'int4_fadd')
  call check(shmem_int4_cswap(i4, 8, 20, next) == 8 .and. shmem_int4_swap(i4, 21, next) == 20, 'int4_cswap')
  call check(shmem_swap(i4, 22, next) == 21, 'swap')
  call shmem_int4_add(i4, 10, next)
  call shmem_int4_inc(i4, next)
  call check(shmem_int4_fetch(i4, next) == 33, 'int4_fetch')
  call shmem_int4_set(i4, -1, next)
  old = 2_8**40
  call check(shmem_int8_fadd(i8, old, next) == 5 .and. shmem_int8_finc(i8, next) == 5 + old, 'int8_fadd')
  call check(shmem_int8_cswap(i8, 6 + old, 20_8, next) == 6 + old, 'int8_cswap')
  call check(shmem_int8_swap(i8, 21_8, next) == 20, 'int8_swap')
  call shmem_int8_add(i8, old, next)
  call shmem_int8_inc(i8, next)
  call check(shmem_int8_fetch(i8, next) == 22 + old, 'int8_fetch')
  call shmem_int8_set(i8, -old, next)
  call check(shmem_real4_swap(r4, 1.5, next) == 5 .and. shmem_real4_fetch(r4, next) == 1.5, 'real4_swap')
  call check(shmem_real8_swap(r8, 1.5d0, next) == 5 .and. shmem_real8_fetch(r8, next) == 1.5, 'real8_swap')
  call shmem_real4_set(r4, -2.5, next)
  call shmem_real8_set(r8, -2.5d0, next)
  call shmem_int4_wait_until(i4, SHMEM_CMP_LT, 0)
  call shmem_wait(i4, 0)
  call shmem_wait_until(i4, SHMEM_CMP_EQ, -1)
  call shmem_int8_wait_until(i8, SHMEM_CMP_LE, -old)
  call shmem_int8_wait(i8, 0_8)
  call shmem_barrier_all
  call check(r4 == -2.5 .and. r8 == -2.5, 'set')

  ! A counter that the lock protects.
  to4 = 0
  call shmem_barrier_all
  do i = 1, 20
    if (mod(i, 2) == 0) then
      do while (shmem_test_lock(lock) /= 0)
      end do
    else
      call shmem_set_lock(lock)
    end if
    call shmem_get4(from4, to4, 1, n - 1)
    from4(1) = from4(1) + 1
    call shmem_put4(to4, from4, 1, n - 1)
    call shmem_clear_lock(lock)
  end do
  call shmem_barrier_all
  if (me == n - 1) call check(to4(1) == 20 * n, 'lock')
  call shmem_barrier_all

  call shpalloc(at, 1000, err, 1)
  call check(err == 0 .and. at /= 0, 'shpalloc')
  block(1) = me
  call shmem_barrier(0, 0, n, psync)
  call shmem_integer_get(to4, block, 1, next)
  call check(to4(1) == next, 'shpalloc''s block')
  call shpclmove(at, 100000, err, 1)
  call check(err >= 0 .and. block(1) == me, 'shpclmove')
  call shpalloc(old, 0, err, 0)
  call check(err == -1, 'no length')
  call shpalloc(old, huge(err), err, 0)
  call check(err == -2, 'no memory')
  old = loc(i4)
  call shpdeallc(old, err, 0)
  call check(err == -3, 'not in the heap')
  old = at + 16
  call shpdeallc(old, err, 0)
  call check(err == -5, 'not the beginning')
  old = at
  call shpdeallc(at, err, 0)
  call check(err == 0, 'shpdeallc')
  call shpdeallc(old, err, 0)
  call check(err == -4, 'freed twice')
  call shmem_set_cache_inv
  call shmem_clear_cache_inv
  call shmem_set_cache_line_inv(i4)
  call shmem_clear_cache_line_inv(i4)
  call shmem_udcflush
  call shmem_udcflush_line(i4)
  call shmem_fence
  call shmem_quiet
contains
  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(*), intent(in) :: what
    if (.not. ok) then
      print *, me, ': wrong: ', what
      call shmem_global_exit(1)
    end if
  end subroutine
end program
