! random_init (trap 22).
program seeds
  implicit none
  integer :: me, n, length
  integer, allocatable :: seed(:), again(:), all(:, :)[:]
  me = this_image(); n = num_images()
  call random_seed(size=length)
  allocate (seed(length), again(length), all(length, 4)[*])
  call random_init(.true., .false.); call random_seed(get=all(:, 1))
  call random_init(.true., .true.); call random_seed(get=all(:, 2))
  call random_init(.false., .false.); call random_seed(get=all(:, 3))
  call random_init(.false., .true.); call random_seed(get=all(:, 4))
  call random_init(.true., .true.); call random_seed(get=again)
  sync all
  call check(sum(abs(again - all(:, 2))) == 0, 'repeatable')
  seed = all(:, 1)[1]; call check(sum(abs(seed - all(:, 1))) == 0, 'the same everywhere')
  seed = all(:, 3)[1]; call check(sum(abs(seed - all(:, 3))) == 0, 'new, and the same everywhere')
  if (me > 1) then
    seed = all(:, 2)[1]; call check(any_differ(seed, all(:, 2)), 'distinct')
    seed = all(:, 4)[1]; call check(any_differ(seed, all(:, 4)), 'new and distinct')
  end if
  call check(any_differ(all(:, 1), all(:, 3)), 'new')
  call random_init(.false., .false.); call random_seed(get=again)
  call check(any_differ(again, all(:, 3)), 'new each time')
  if (me == 1) call random_init(.false., .false.) ! it is not collective
  sync all
contains
  logical function any_differ(a, b)
    integer, intent(in) :: a(:), b(:)
    any_differ = maxval(abs(a - b)) > 0
  end function
  include 'check.inc'
end program
