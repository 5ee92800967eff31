! What the others see of an image that has terminated (trap 17); its coarrays stay readable.
program stopped
  use iso_fortran_env
  implicit none
  integer, save :: x[*]
  type(event_type), save :: ev[*]
  integer :: me, n, stat
  character(len=60) :: text
  character(len=:), allocatable :: late
  integer, allocatable :: list(:)
  late = repeat(' ', 60)
  me = this_image(); n = num_images()
  x = me * 11
  sync all
  call check(image_status(n) == 0 .or. me == n, 'running')
  sync all
  call collect(0, '', text)
  if (me == n) stop
  if (me == 1) then
    sync images (n, stat=stat)
    call check(stat == stat_stopped_image, 'sync images with one that has stopped')
    call check(any(stopped_images() == n), 'which stopped_images names')
    event post (ev[n], stat=stat, errmsg=text)
    call check(stat == stat_stopped_image .and. text(:17) == 'EVENT POST failed', 'event post to it')
    event post (ev[1], stat=stat)
    call check(stat == 0, 'event post')
    sync images (n, stat=stat)
    call check(stat == stat_stopped_image, 'and again')
    call check(image_status(n) == stat_stopped_image, 'image_status')
  end if
  sync all (stat=stat, errmsg=text)
  call check(stat == stat_stopped_image, 'sync all')
  call check(text == 'SYNC ALL failed - there are stopped images', 'errmsg')
  list = stopped_images()
  call check(size(list) == 1 .and. list(1) == n, 'stopped_images')
  call check(size(failed_images()) == 0 .and. num_images() == n, 'nobody failed')
  call check(x[n] == n * 11, 'coarrays of a stopped image')
  sync all (stat=stat)
  call check(stat == stat_stopped_image, 'sync all again')
  call collect(stat_stopped_image, 'a collective subroutine failed - there are stopped images', late)
contains
  ! gfortran passes some errmsg by value: their text is lost, but nothing else; `dummy` it passes by reference.
  subroutine collect(wanted, words, dummy)
    integer, intent(in) :: wanted
    character(len=*), intent(in) :: words
    character(len=*), intent(inout) :: dummy
    character(len=60) :: long
    character(len=12) :: middle
    character(len=6) :: short
    character(len=5) :: c
    character(len=20) :: v, part
    character(len=3, kind=4) :: w(2)
    integer :: s
    dummy = ''; long = ''; middle = 'not set yet'; short = 'abcdef'
    s = 1; call co_sum(s, stat=stat, errmsg=long)
    call check(stat == wanted .and. s == merge(n, 1, wanted == 0), 'co_sum with errmsg=')
    c = achar(iachar('a') + me); call co_max(c, stat=stat, errmsg=long)
    call check(stat == wanted .and. (c == achar(iachar('a') + n) .or. wanted /= 0), 'co_max with errmsg=')
    c = achar(iachar('a') + me); call co_min(c, stat=stat, errmsg=middle)
    call check(stat == wanted .and. (c == 'b' .or. wanted /= 0), 'co_min with a shorter errmsg=')
    w = 4_'xyz'; w(2)(3:3) = achar(iachar('a') + me, 4); call co_max(w, stat=stat, errmsg=short)
    call check(stat == wanted .and. (w(2) == 4_'xy' // achar(iachar('a') + n, 4) .or. wanted /= 0), 'kind 4')
    c = 'word' // achar(iachar('a') + me); call co_reduce(c, later, stat=stat, errmsg=long)
    call check(stat == wanted .and. (c == 'word' // achar(iachar('a') + n) .or. wanted /= 0), 'co_reduce')
    middle = transfer(loc(long), repeat(' ', 8)) // 'text' ! an address, as it may be by chance where nothing is set
    call co_sum(s, stat=stat, errmsg=middle); call check(stat == wanted, 'co_sum with an errmsg= like an address')
    v = 'abc'; call co_min(v, stat=stat, errmsg=middle); call check(stat == wanted .and. v == 'abc', 'and co_min')
    call check(long == '', 'nothing is written there')
    call co_broadcast(c, 1, stat=stat, errmsg=middle); call check(stat == wanted, 'co_broadcast')
    call co_sum(s, stat=stat, errmsg=dummy); call check(stat == wanted .and. dummy == words, 'errmsg of co_sum')
    dummy = ''
    call co_max(c, stat=stat, errmsg=dummy); call check(stat == wanted .and. dummy == words, 'errmsg of co_max')
    dummy = ''
    call co_max(v(:3), stat=stat, errmsg=dummy); call check(stat == wanted .and. dummy == words, 'of a substring')
    part = merge('1' // achar(iachar('a') + n) // '3', '1' // achar(iachar('a') + me) // '3', wanted == 0)
    v = '1' // achar(iachar('a') + me) // '3'; call co_max(v(2:3), stat=stat, errmsg=long)
    call check(stat == wanted .and. v == part, 'of a substring with errmsg=')
    v = '1' // achar(iachar('a') + me) // '3'; call co_max(v(2:3), stat=stat, errmsg=middle)
    call check(stat == wanted .and. v == part, 'of a substring with a shorter errmsg=')
    v = '1' // achar(iachar('a') + me) // '3'; call co_max(v(2:3), stat=stat, errmsg=short)
    call check(stat == wanted .and. v == part, 'of a substring with a short errmsg=')
  end subroutine
  pure function later(a, b) result(c)
    character(len=*), intent(in) :: a, b
    character(len=len(a)) :: c
    c = merge(a, b, a > b)
  end function
  include 'check.inc'
end program
