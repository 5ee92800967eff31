! What count.sh counts: gets and puts of a scalar of an integer and a real.
program counted
  implicit none
  integer, save :: x[*]
  real(8), save :: y[*]
  integer :: i, k
  real(8) :: r
  x = this_image()
  y = this_image()
  sync all
  do i = 1, 40
    k = x[2]
    r = y[2]
    x[2] = k
    y[2] = r
  end do
  sync all
  if (k /= 2 .or. r /= 2) error stop
end program
