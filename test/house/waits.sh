# There is one wait: only src/port takes its steps, everybody else says what it waits for (port/port.h).
set -u
cd "$WEFT_SOURCE/src" || exit 1
grep -q weft_wait_step port/progress.c || { echo "the step has another name: mend this test"; exit 1; }
! grep -rn weft_wait_step . --include=*.[ch] | grep -v '^./port/'
