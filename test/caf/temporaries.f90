! A local variable's coarray component lies where a temporary object had a component's token (trap 4).
! That is so where gfortran 12 lays out the stack; with another compiler this may pass without testing anything.
module types
  implicit none
  type object ! gfortran 12 makes a temporary one of it, to initialise coarrays
    integer :: n = 0
    integer, allocatable :: v(:)
    real, allocatable :: s
  end type
  type owner
    real, allocatable :: w(:)[:]
  end type
contains
  subroutine make()
    type(object), allocatable :: x[:]
    allocate (x[*])
    allocate (x%v(2))
    x%v = this_image()
    sync all
    call check(all(x[num_images()]%v == num_images()), 'a component of a coarray')
    sync all
  end subroutine
  subroutine use_coarray()
    type(owner) :: a
    integer :: next
    next = 1 + mod(this_image(), num_images())
    allocate (a%w(4)[*])
    a%w = this_image()
    sync all
    call check(a%w(2)[next] == next, 'a coarray in a variable')
    sync all
  end subroutine
  ! So much further down the stack.
  recursive subroutine deeper(n, make_it)
    integer, intent(in) :: n
    logical, intent(in) :: make_it
    integer :: pad(4 * n)
    pad = n
    if (make_it) call make()
    if (.not. make_it) call use_coarray()
    call check(all(pad == n), 'pad')
  end subroutine
  include 'check.inc'
end module
program temporaries
  use types
  implicit none
  integer :: i
  call deeper(20, .true.)
  do i = 0, 60
    call deeper(i, .false.)
  end do
end program
