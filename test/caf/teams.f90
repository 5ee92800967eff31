! Teams: nested, formed again, with memory and collectives of their own (trap 19).
program teams
  use iso_fortran_env, only: team_type
  implicit none
  type pointing
    integer, pointer :: to(:) => null()
  end type
  type(team_type) :: team, inner, again
  type holding
    integer, allocatable :: x[:]
  end type
  type(pointing), allocatable :: p[:]
  type(holding) :: h
  integer, pointer :: kept(:)
  integer, save :: x[*], y(3)[*]
  integer, allocatable :: a(:)[:], b(:)[:], moved(:)[:]
  integer :: me, n, mine, size, i, s, half, round
  integer(8), volatile, save :: place
  me = this_image(); n = num_images()
  half = 1 + mod(me, 2)
  x = me; y = me
  sync all
  size = merge((n + 1) / 2, n / 2, half == 2)
  mine = (me + 1) / 2
  do round = 1, 3
    form team (half, team)
    change team (team)
      call check(this_image() == mine .and. num_images() == size, 'image and number inside')
      call check(team_number() == half, 'team_number')
      do i = 1, size
        call check(x[i] == 2 * i - merge(1, 0, half == 2), 'get from an image of the team')
      end do
      s = me; call co_sum(s)
      call check(s == merge(size * size, size * (size + 1), half == 2), 'co_sum inside')
      s = me; call co_broadcast(s, size)
      call check(s == 2 * size - merge(1, 0, half == 2), 'co_broadcast inside')
      allocate (a(100 * half)[*])
      a = me
      sync all
      call check(all(a(:)[1] == x[1]), 'allocated inside')
      allocate (b(3)[*])
      b = me
      call move_alloc(b, moved) ! in later rounds over what END TEAM has freed
      sync all
      call check(.not. allocated(b) .and. moved(2)[1] == x[1], 'move_alloc')
      call into_component()
      allocate (p[*])
      allocate (p%to(1000))
      p%to = me
      kept => p%to
      y(2)[1 + mod(mine, size)] = round * 100 + mine
      sync all
      call check(y(2) == round * 100 + merge(size, mine - 1, mine == 1), 'put inside')
      if (mine > 1) sync images (mine - 1)
      if (mine < size) sync images (mine + 1)
      ! nested: all in one again, but for image 1
      form team (1 + merge(1, 0, this_image() == 1), inner)
      change team (inner)
        if (team_number() == 1) call check(num_images() == size - 1 .and. this_image() == mine - 1, 'nested')
        if (team_number() == 2) call check(num_images() == 1, 'alone')
        critical
          s = this_image()
        end critical
      end team
      call check(this_image() == mine, 'back from the nested team')
      sync team (team)
    end team
    call check(.not. (allocated(a) .or. allocated(moved) .or. allocated(h%x)), 'end team frees what was allocated inside')
    call check(all(kept == me), 'but not what pointers point to')
    deallocate (kept)
    call check(this_image() == me .and. num_images() == n, 'back')
    sync all
  end do
  allocate (moved(5)[*])
  deallocate (moved)
  form team (1, again)
  change team (again)
    call check(this_image() == me, 'the order of the parent')
  end team
  call check(team_number() == -1, 'the initial team')
  ! where images may fail, the teams of two FORM TEAMs meet by keys of their own, whatever the numbers
  do round = 1, 40
    form team (32 * round, again)
    form team (half, team)
    change team (again)
      sync all
      call check(num_images() == n, 'all')
    end team
    change team (team)
      sync all
      call check(num_images() == size, 'one of two')
    end team
  end do
  call on_the_stack()
  if (me == 1) print '(a)', 'right'
contains
  subroutine into_component()
    integer, allocatable :: from[:]
    allocate (from[*])
    from = me
    call move_alloc(from, h%x)
    call check(h%x[1] == x[1], 'moved into a component')
  end subroutine
  ! gfortran keeps coarrays out of the stack, but not components. (From 14 on -O2 does not look again after END TEAM whether
  ! one is allocated, unless the variable's address is known elsewhere.)
  recursive subroutine on_the_stack()
    integer, allocatable :: from(:, :)[:, :], to(:, :)[:, :], from_scalar[:]
    type(holding) :: here
    place = loc(here)
    change team (again)
      allocate (from(2, 3)[2, *], from_scalar[*])
      call move_alloc(from, to)
      call move_alloc(from_scalar, here%x)
    end team
    call check(.not. (allocated(from) .or. allocated(to) .or. allocated(here%x)), 'moved, to the stack too')
    allocate (here%x[*])
  end subroutine
  include 'check.inc'
end program
