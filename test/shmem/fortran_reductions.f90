! Reductions of OpenSHMEM's Fortran interface: every second PE has 3, the others 1.
program fortran_reductions
  implicit none
  include 'shmem.fh'
  external :: shmem_int4_and_to_all, shmem_int4_or_to_all, shmem_int4_xor_to_all, shmem_int4_max_to_all
  external :: shmem_int4_min_to_all, shmem_int4_sum_to_all, shmem_int4_prod_to_all
  external :: shmem_int8_and_to_all, shmem_int8_or_to_all, shmem_int8_xor_to_all, shmem_int8_max_to_all
  external :: shmem_int8_min_to_all, shmem_int8_sum_to_all, shmem_int8_prod_to_all
  external :: shmem_real4_max_to_all, shmem_real4_min_to_all, shmem_real4_sum_to_all, shmem_real4_prod_to_all
  external :: shmem_real8_max_to_all, shmem_real8_min_to_all, shmem_real8_sum_to_all, shmem_real8_prod_to_all
  external :: shmem_real16_max_to_all, shmem_real16_min_to_all, shmem_real16_sum_to_all, shmem_real16_prod_to_all
  external :: shmem_comp4_sum_to_all, shmem_comp4_prod_to_all
  external :: shmem_comp8_sum_to_all, shmem_comp8_prod_to_all
  integer, external :: shmem_my_pe, shmem_n_pes
  integer, save :: psync(SHMEM_REDUCE_SYNC_SIZE) = SHMEM_SYNC_VALUE
  integer*4, save :: from_int4(4), to_int4(4)
  integer*8, save :: from_int8(4), to_int8(4)
  real*4, save :: from_real4(4), to_real4(4)
  real*8, save :: from_real8(4), to_real8(4)
  real*16, save :: from_real16(4), to_real16(4)
  complex*8, save :: from_comp4(4), to_comp4(4)
  complex*16, save :: from_comp8(4), to_comp8(4)
  real*16, save :: work(4)
  integer :: n, most, sum, xor, prod

  call shmem_init
  n = shmem_n_pes()
  most = merge(3, 1, n > 1)
  sum = (n + 1) / 2 + 3 * (n / 2)
  prod = 3**(n / 2)
  xor = ieor(mod((n + 1) / 2, 2), 3 * mod(n / 2, 2))
  call int4(shmem_int4_and_to_all, 1)
  call int4(shmem_int4_or_to_all, most)
  call int4(shmem_int4_xor_to_all, xor)
  call int4(shmem_int4_max_to_all, most)
  call int4(shmem_int4_min_to_all, 1)
  call int4(shmem_int4_sum_to_all, sum)
  call int4(shmem_int4_prod_to_all, prod)
  call int8(shmem_int8_and_to_all, 1)
  call int8(shmem_int8_or_to_all, most)
  call int8(shmem_int8_xor_to_all, xor)
  call int8(shmem_int8_max_to_all, most)
  call int8(shmem_int8_min_to_all, 1)
  call int8(shmem_int8_sum_to_all, sum)
  call int8(shmem_int8_prod_to_all, prod)
  call real4(shmem_real4_max_to_all, most)
  call real4(shmem_real4_min_to_all, 1)
  call real4(shmem_real4_sum_to_all, sum)
  call real4(shmem_real4_prod_to_all, prod)
  call real8(shmem_real8_max_to_all, most)
  call real8(shmem_real8_min_to_all, 1)
  call real8(shmem_real8_sum_to_all, sum)
  call real8(shmem_real8_prod_to_all, prod)
  call real16(shmem_real16_max_to_all, most)
  call real16(shmem_real16_min_to_all, 1)
  call real16(shmem_real16_sum_to_all, sum)
  call real16(shmem_real16_prod_to_all, prod)
  call comp4(shmem_comp4_sum_to_all, sum)
  call comp4(shmem_comp4_prod_to_all, prod)
  call comp8(shmem_comp8_sum_to_all, sum)
  call comp8(shmem_comp8_prod_to_all, prod)
  call shmem_finalize
contains
  subroutine int4(reduce, want)
    external :: reduce
    integer, intent(in) :: want
    from_int4 = 1 + 2 * mod(shmem_my_pe(), 2)
    call reduce(to_int4, from_int4, 4, 0, 0, n, work, psync)
    if (any(to_int4 /= want)) call wrong('int4', want)
    call shmem_barrier_all
  end subroutine
  subroutine int8(reduce, want)
    external :: reduce
    integer, intent(in) :: want
    from_int8 = 1 + 2 * mod(shmem_my_pe(), 2)
    call reduce(to_int8, from_int8, 4, 0, 0, n, work, psync)
    if (any(to_int8 /= want)) call wrong('int8', want)
    call shmem_barrier_all
  end subroutine
  subroutine real4(reduce, want)
    external :: reduce
    integer, intent(in) :: want
    from_real4 = 1 + 2 * mod(shmem_my_pe(), 2)
    call reduce(to_real4, from_real4, 4, 0, 0, n, work, psync)
    if (any(to_real4 /= want)) call wrong('real4', want)
    call shmem_barrier_all
  end subroutine
  subroutine real8(reduce, want)
    external :: reduce
    integer, intent(in) :: want
    from_real8 = 1 + 2 * mod(shmem_my_pe(), 2)
    call reduce(to_real8, from_real8, 4, 0, 0, n, work, psync)
    if (any(to_real8 /= want)) call wrong('real8', want)
    call shmem_barrier_all
  end subroutine
  subroutine real16(reduce, want)
    external :: reduce
    integer, intent(in) :: want
    from_real16 = 1 + 2 * mod(shmem_my_pe(), 2)
    call reduce(to_real16, from_real16, 4, 0, 0, n, work, psync)
    if (any(to_real16 /= want)) call wrong('real16', want)
    call shmem_barrier_all
  end subroutine
  subroutine comp4(reduce, want)
    external :: reduce
    integer, intent(in) :: want
    from_comp4 = 1 + 2 * mod(shmem_my_pe(), 2)
    call reduce(to_comp4, from_comp4, 4, 0, 0, n, work, psync)
    if (any(to_comp4 /= want)) call wrong('comp4', want)
    call shmem_barrier_all
  end subroutine
  subroutine comp8(reduce, want)
    external :: reduce
    integer, intent(in) :: want
    from_comp8 = 1 + 2 * mod(shmem_my_pe(), 2)
    call reduce(to_comp8, from_comp8, 4, 0, 0, n, work, psync)
    if (any(to_comp8 /= want)) call wrong('comp8', want)
    call shmem_barrier_all
  end subroutine
  subroutine wrong(type, want)
    character(*), intent(in) :: type
    integer, intent(in) :: want
    print *, 'wrong: a reduction of ', type, ' to ', want
    call shmem_global_exit(1)
  end subroutine
end program
