! Coarrays with OpenSHMEM, GASNet and MPI in one program: each sends values round a ring of all images, and coarrays do in
! between. The other three are called in C (upc/models.c); image i is PE, node and rank i - 1. rings.sh builds and runs it:
!   oshcc -c upc/models.c && caf rings.f90 models.o -o rings && cafrun -n 4 ./rings
! and with MPI:
!   MPICH_CC=oshcc mpicc.mpich -DWITH_MPI -c upc/models.c && MPICH_FC=caf mpif90.mpich rings.f90 models.o -o rings
program rings
  use iso_c_binding, only: c_int, c_long, c_ptr, c_null_ptr
  implicit none
  interface
    subroutine models_begin(argc, argv) bind(c)
      import :: c_int, c_ptr
      integer(c_int), intent(inout) :: argc
      type(c_ptr), intent(inout) :: argv
    end subroutine
    subroutine models_end() bind(c)
    end subroutine
    integer(c_long) function ring_openshmem(value) bind(c)
      import :: c_long
      integer(c_long), value :: value
    end function
    integer(c_long) function ring_gasnet(value) bind(c)
      import :: c_long
      integer(c_long), value :: value
    end function
    integer(c_long) function ring_mpi(value) bind(c)
      import :: c_long
      integer(c_long), value :: value
    end function
  end interface
  integer(c_long) :: slot[*], mine, from_left
  integer(c_int) :: argc = 0
  type(c_ptr) :: argv = c_null_ptr
  integer :: left, right, round, wrong
  left = merge(num_images(), this_image() - 1, this_image() == 1)
  right = merge(1, this_image() + 1, this_image() == num_images())
  wrong = 0
  call models_begin(argc, argv)
  do round = 1, 20
    mine = round * 2_c_long**33 + this_image()
    from_left = round * 2_c_long**33 + left
    wrong = wrong + merge(0, 1, ring_openshmem(mine) == from_left)
    sync all ! the slot has been looked at
    slot[right] = mine + 1
    sync all
    wrong = wrong + merge(0, 1, slot == from_left + 1)
    wrong = wrong + merge(0, 1, ring_gasnet(mine + 2) == from_left + 2)
    wrong = wrong + merge(0, 1, ring_mpi(mine + 3) == from_left + 3)
  end do
  call co_sum(wrong)
  if (this_image() == 1) print '(2(i0,a))', num_images(), ' images: ', wrong, ' wrong'
  call models_end()
  if (wrong > 0) error stop 1
end program
