! A coarray of 64 MB, with an errmsg (any argument) or without.
program shortage
  implicit none
  integer, allocatable :: x(:)[:]
  character(200) :: said
  integer :: stat
  if (command_argument_count() == 0) allocate (x(2**24)[*])
  allocate (x(2**24)[*], stat=stat, errmsg=said)
  print '(i0,2a)', stat, ' ', trim(said)
end program
