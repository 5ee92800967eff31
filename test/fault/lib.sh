# Sourced by the scripts of this folder: run the victim (victim.c), which ends badly, and judge how.
. "$(dirname "$0")/../launch/lib.sh"
VICTIM=$WEFT_BUILD/test-bin/fault.victim
NOTES=$DIR
export NOTES

# A zombie has ended: in a container nobody may be there to collect orphans.
all_ended() {
  for pid in $(cat "$NOTES"/pid.* 2>/dev/null); do
    ! grep -qs '^State:.[^ZX]' "/proc/$pid/status" || return 1
  done
}

shared_files() { ls /dev/shm | grep "^weft-$(id -u)-"; }

# no_new_files OLD: are there none but these? (Other tests have some for a moment.)
no_new_files() { [ -z "$(shared_files | grep -vxF -e "$1")" ]; }

nothing_left() {
  within 30 all_ended || fail "a process is still there"
  [ -z "$(for pid in $(cat "$NOTES"/pid.* 2>/dev/null); do shared_files | grep -e "-$pid-"; done)" ] ||
    fail "left in /dev/shm: $(shared_files)"
}

# ends STATUS 'PATTERN' COMMAND...: the job ends with the status, says one line of this kind and not many more, and leaves nothing.
ends() {
  want=$1 line=$2
  shift 2
  fresh
  timeout 60 "$@" >"$NOTES/out" 2>"$NOTES/err" </dev/null
  status=$?
  [ "$status" -eq "$want" ] || fail "$*: status $status, want $want"
  [ "$(grep -Ec "$line" "$NOTES/err")" -ge 1 ] || fail "$*: no line like: $line"
  nothing_left
}

# goes_on WHEN: the program talker.c has done some more rounds.
rounds() { cat "$NOTES/rounds.0" 2>/dev/null || echo 0; }
further() { [ "$(rounds)" -gt $((before + 5)) ]; }
goes_on() {
  before=$(rounds)
  within 60 further || fail "$1: the job does not go on"
}
