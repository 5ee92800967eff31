# Sourced by the fetch scripts: Debian packages as files, to unpack here and not to install. $work is the caller's
# scratch folder. apt checks what it fetches against the signed package lists.
download() { # PACKAGE...
  (cd "$work" && apt-get download -qq "$@") >"$work/log" 2>&1
}

update() {
  if [ "$(id -u)" -eq 0 ]; then apt-get update -qq
  elif [ -t 0 ] && command -v sudo >/dev/null; then sudo apt-get update -qq
  else sudo -n apt-get update -qq
  fi
}

fetch() { # PACKAGE...: into $work; the last words of apt if it cannot
  if ! command -v apt-get >/dev/null || ! { download "$@" || { update >/dev/null 2>&1 && download "$@"; }; }; then
    [ ! -s "$work/log" ] || tail -n 2 "$work/log" >&2
    return 1
  fi
}
