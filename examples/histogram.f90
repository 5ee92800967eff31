! A histogram that all images fill at once. Its bins are a coarray of Fortran; C code counts into them, on whichever image
! they are, by OpenSHMEM's atomic operations of 64 bits (Fortran's own have 32 with gfortran). A coarray's address is an
! address of OpenSHMEM, and image i is PE i - 1. Every image checks all bins against a count of its own.
!   oshcc -c histogram_shmem.c && caf histogram.f90 histogram_shmem.o -o histogram && cafrun -n 4 ./histogram
program histogram
  use iso_c_binding, only: c_int, c_int64_t
  implicit none
  interface
    subroutine shmem_init() bind(c)
    end subroutine
    subroutine shmem_finalize() bind(c)
    end subroutine
    subroutine count_values(bins, bins_each, values, n) bind(c)
      import :: c_int, c_int64_t
      integer(c_int64_t), intent(inout) :: bins(*)
      integer(c_int), value :: bins_each, n
      integer(c_int), intent(in) :: values(*)
    end subroutine
  end interface
  integer(c_int), parameter :: bins_each = 10, n = 5000
  integer(c_int64_t), parameter :: before = 2_c_int64_t**40 ! more than 32 bits hold
  integer(c_int64_t), allocatable :: bins(:)[:], counted(:)
  integer :: image, i
  call shmem_init()
  allocate (bins(bins_each)[*])
  bins = before
  sync all
  call count_values(bins, bins_each, values_of(this_image()), n)
  sync all
  allocate (counted(bins_each * num_images()), source=before)
  do image = 1, num_images()
    associate (values => values_of(image))
      do i = 1, n
        counted(values(i)) = counted(values(i)) + 1
      end do
    end associate
  end do
  do image = 1, num_images()
    if (any(bins(:)[image] /= counted((image - 1) * bins_each + 1:image * bins_each))) then
      print '(2(a,i0))', 'image ', this_image(), ' finds a wrong count in the bins of image ', image
      error stop 1
    end if
  end do
  sync all
  if (this_image() == 1) print '(3(i0,a))', n * num_images(), ' values in ', size(counted), ' bins of ', num_images(), ' images'
  call shmem_finalize()
contains
  ! The numbers of bins that an image's values fall into: small ones come more often.
  function values_of(image) result(values)
    integer, intent(in) :: image
    integer(c_int) :: values(n)
    integer(c_int64_t) :: random
    integer :: k
    random = image * 7919
    do k = 1, n
      random = mod(random * 48271, 2147483647_c_int64_t)
      values(k) = 1 + int((random / 2147483647d0)**2 * (bins_each * num_images()))
    end do
  end function
end program
