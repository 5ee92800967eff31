! sync all, sync memory, sync images by counts (trap 9), segments and puts (trap 20).
program sync
  implicit none
  integer, save :: token[*], ring(1000)[*], data(5000)[*]
  integer :: me, n, i, stat, next, last
  character(len=60) :: text
  me = this_image(); n = num_images()
  next = 1 + mod(me, n); last = 1 + mod(me + n - 2, n)
  token = 0
  sync all
  ! a chain by pairs
  if (me > 1) sync images (me - 1)
  if (me < n) token[me + 1] = token + me
  if (me < n) sync images (me + 1)
  call check(token == me * (me - 1) / 2, 'a chain of pairs')
  sync images (*)
  ! one may be syncs ahead
  do i = 1, 1000
    ring(i)[next] = me * i
    sync images ([integer :: merge(next, me, .true.), pack([last], [last /= next])])
    call check(ring(i) == last * i, 'ring')
  end do
  if (n > 1) then
    if (me == 1) then
      sync images (2)
      sync images (2)
    else if (me == 2) then
      sync images (1)
      sync images (1)
    end if
  end if
  sync images (me)
  sync images ([integer ::])
  stat = 77; text = 'untouched'
  sync images ([me], stat=stat, errmsg=text)
  call check(stat == 0 .and. text == 'untouched', 'success leaves errmsg alone')
  sync images ([me, me], stat=stat, errmsg=text)
  call check(stat /= 0 .and. text /= 'untouched' .and. text(60:60) == ' ', 'duplicates')
  sync images (n + 5, stat=stat)
  call check(stat /= 0, 'no such image')
  sync all
  ! puts of all sizes, read by others after sync all; puts of the same place keep their order
  do i = 1, 30
    data(i * i:5000 - i)[next] = me * 100 + i
    data(7)[next] = -i
    data(7)[next] = i
    sync memory
    call check(data(7)[next] == i, 'own puts are seen by own gets')
    sync all (stat=stat, errmsg=text)
    call check(stat == 0, 'sync all with stat')
    call check(data(4000) == last * 100 + i .and. data(7) == i, 'puts before sync all')
    sync all
  end do
contains
  include 'check.inc'
end program
