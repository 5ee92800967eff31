# There is one wait: only src/port takes its steps, everybody else says what it waits for (port/wait.h). Front ends
# have no loops around a test, a try or a poll, and neither spin nor sleep, but for locks within a process
# (gasnet_hsl), GASNet's tools, a job that is frozen for a debugger, and who gives way in a test of the program's.
set -u
cd "$WEFT_SOURCE/src" || exit 1
bad=0
none() { # WHAT LINES
  [ -z "$2" ] && return
  bad=1
  echo "$1:"
  echo "$2"
}
fronts="shmem gasnet armci caf upc"
grep -q weft_wait_step port/progress.c || { echo "the step has another name: mend this test"; exit 1; }
none "steps outside of port" "$(grep -rnE 'weft_wait_step|weft_progress_(serve|take_replies)' . --include=*.[ch] | grep -v '^./port/')"
# shellcheck disable=SC2086
none "a front end makes progress by itself" "$(grep -rnE 'weft_progress_network|weft_endpoint_poll' $fronts)"
# shellcheck disable=SC2086
none "a loop around a test" "$(grep -rnE '(while|for) \(.*(\b|_)(try|test|attempt|poll).*(;|continue;)$' $fronts --include=*.[ch])"
# shellcheck disable=SC2086
none "a loop of polls" "$(grep -rnE '(while|for) .*(weft_wait_poll|weft_upc_poll|weft_am_poll)' $fronts --include=*.[ch])"
# shellcheck disable=SC2086
none "who spins or sleeps" "$(grep -rnE 'sched_yield|nanosleep|usleep|weft_cpu_relax' $fronts --include=*.[ch] |
  grep -vE '^gasnet/(tools/|ex/(hsl|ad)\.c|one/job\.c)|^upc/start\.c')"
exit $bad
