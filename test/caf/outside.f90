! With WEFT_CHECK=1 an index that leaves a coarray ends the job with gfortran's kind of line. By name of the access; run by
! outside.sh. `inside` makes the same accesses with good indices. Without WEFT_CHECK=1 a vector subscript that is no place
! in any memory does so (under, far, farther), and a component beyond whose end it wrote (beyond).
program outside
  use iso_fortran_env, only: atomic_int_kind, event_type, int64
  implicit none
  type part
    integer, allocatable :: a(:), top(:)
  end type
  integer(int64), parameter :: most = huge(0_int64)
  integer, save :: fixed(10)[*]
  type tree
    type(part), allocatable :: branch(:)
  end type
  type(part), save :: holder[*]
  type(tree), save :: root[*]
  type(event_type), save :: events(3)[*]
  integer(atomic_int_kind), save :: counters(4)[*]
  integer, allocatable :: box(:)[:], plane(:, :)[:], empty(:, :)[:]
  integer :: you, last(7), got(4), places(2), none
  logical :: there
  character(len=10) :: how
  call get_command_argument(1, how)
  you = num_images()
  allocate (box(0:9)[*], plane(5, 5)[*], empty(0, 3)[*], holder%a(-1:1), root%branch(2))
  allocate (root%branch(2)%a(1), holder%top(most - 1:most))
  fixed = 1; box = 1; plane = 1; holder%a = 1; got = 1
  last = [10, 9, 5, 1, 3, 4, 2]; none = 0; there = .true.
  if (how /= 'inside') last = last + 1
  if (how == 'below') last = -1
  places = [2, last(3)]
  sync all
  if (this_image() == 1) then
    if (any(how == ['fixed ', 'inside'])) got(1) = fixed(last(1))[you]
    if (any(how == ['box   ', 'inside', 'below '])) box(last(2))[you] = 1
    if (any(how == ['plane ', 'inside'])) got = plane(2:5, last(3))[you]
    if (any(how == ['vector', 'inside'])) got(1:2) = plane(1, places)[you]
    if (any(how == ['empty '])) got(1) = empty(1, 1)[you]
    if (any(how == ['chain ', 'inside'])) got(1) = holder[you]%a(last(4))
    if (any(how == ['list  ', 'inside'])) got(1:2) = holder[you]%a([-1, last(4)])
    if (how == 'under') got(1:1) = holder[you]%top([-most])
    if (how == 'far') got(1:1) = holder[you]%a([most / 2])
    if (how == 'beyond') then ! and over what the heap keeps of root%branch
      holder%a(2:none + 40) = 0
      deallocate (holder%a)
    end if
    if (how == 'farther') got(1:1) = holder[you]%a([most / 8])
    if (any(how == ['there ', 'inside'])) there = allocated(root[you]%branch(last(7))%a)
    if (any(how == ['part  ', 'inside'])) holder[you]%a(last(4) - 1:last(4)) = 1
    if (any(how == ['event ', 'inside'])) event post (events(last(5))[you])
    if (any(how == ['atomic', 'inside'])) call atomic_add(counters(last(6))[you], 1)
    ! Shapes that do not conform, which only gfortran's own checks find: nothing is moved.
    if (how == 'inside') got(1:last(5)) = fixed(1:none)[this_image()]
    if (how == 'inside') got(1:last(5)) = fixed(1:none)[you]
    if (any(got /= 1) .or. .not. there) error stop 2
  end if
  sync all
end program
