! Ways to end, by name; run by stop.sh (trap 16).
program ends
  use iso_c_binding, only: c_float
  use iso_fortran_env, only: team_type
  implicit none
  type pair
    integer :: k = 1
    real :: x = 1
  end type
  type, bind(c) :: reals
    real(c_float) :: a = 1, b = 2
  end type
  interface
    pure function add_reals(a, b) bind(c)
      import reals
      type(reals), intent(in) :: a, b
      type(reals) :: add_reals
    end function
  end interface
  type(pair) :: p
  type(reals) :: r
  character(len=20) :: how
  type holder
    integer, allocatable :: part(:)
  end type
  integer, save :: x[*]
  type(team_type) :: team, other
  integer, allocatable :: a(:)[:]
  type(holder), allocatable :: h[:]
  integer :: i
  call get_command_argument(1, how)
  print '(a)', 'output'
  if (how == 'one') flush (6) ! those that are ended have no time for it
  sync all
  select case (how)
  case ('end')
  case ('unformed')
    change team (team)
    end team
  case ('unsynced'); sync team (team)
  case ('unput'); x[1, team=team] = 1
  case ('nochild')
    form team (1, team)
    form team (1, other)
    change team (team)
      change team (other)
      end team
    end team
  case ('stop'); stop
  case ('stop3'); stop 3
  case ('stop512'); stop 512
  case ('text'); stop 'done'
  case ('quiet'); stop 4, quiet=.true.
  case ('error'); error stop
  case ('error7'); error stop 7
  case ('error256'); error stop 256
  case ('errortext'); error stop 'broken'
  case ('one') ! the others compute or wait
    if (this_image() == 1) error stop 9
    if (this_image() == 2) then
      do
        x = x + 1
      end do
    end if
    sync all
  case ('second')
    if (this_image() == 2) error stop 9
    sync all
  case ('exit6')
    if (this_image() == 2) call exit(6)
    sync all
  case ('differ')
    i = this_image()
    if (i == 1) call co_sum(i)
    if (this_image() > 1) call co_max(i)
  case ('exit0'); call exit(0)
  case ('exit5'); if (this_image() == 1) call exit(5)
  case ('image'); i = x[num_images() + 3]
  case ('noput'); a(1)[1] = 3
  case ('noget'); i = a(1)[num_images()]
  case ('noparts'); a(1:2)[1] = [1, 2]
  case ('nocomponent'); h[1]%part(1) = 3
  case ('gone')
    allocate (a(5)[*])
    deallocate (a)
    i = a(1)[num_images()]
  case ('runtime'); read (how, '(i4)') i ! not a number: an error of libgfortran
  case ('failed')
    if (this_image() == 1) fail image
    sync all
  case ('syncstopped')
    if (this_image() == 1) stop
    sync all
  case ('small'); call co_reduce(p, add)
  case ('reals'); call co_reduce(r, add_reals)
  case ('value'); call co_reduce(p, add_values)
  end select
contains
  pure type(pair) function add(a, b)
    type(pair), intent(in) :: a, b
    add = pair(a%k + b%k, a%x + b%x)
  end function
  pure type(pair) function add_values(a, b)
    type(pair), value :: a, b
    add_values = pair(a%k + b%k, a%x + b%x)
  end function
end program
