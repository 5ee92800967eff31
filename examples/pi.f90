! pi.f90: pi by the midpoint rule, its strips dealt out among the images, odd and even images as teams.
! Standard Fortran 2018, for gfortran and flang:
!   caf pi.f90 -o pi && cafrun -n 4 ./pi
!   flang-22 -fcoarray pi.f90 -o pi $(pkg-config --cflags --libs prif-flang) && weftrun -n 4 ./pi
program pi
  use, intrinsic :: iso_fortran_env, only: team_type, real64, int64
  implicit none
  integer, parameter :: strips = 1000000
  real(real64) :: x, total, part
  integer :: i, me, n, members
  type(team_type) :: parity

  me = this_image()
  n = num_images()
  part = 0
  do i = me, strips, n
    x = (i - 0.5_real64) / strips
    part = part + 4 / (1 + x**2) / strips
  end do

  ! First within each team, then its first images' sums among all.
  form team (2 - mod(me, 2), parity)
  change team (parity)
    total = part
    call co_sum(total)
    members = num_images()
    sync all
  end team
  total = total / members
  call co_sum(total)
  sync all
  if (me == 1) print '(a,i0,a,f9.7)', 'pi on ', n, ' images: ', total
end program
