# The words in one line, as a shell reads them.
show() {
  line=
  for word; do
    case $word in
    '' | *[!a-zA-Z0-9_./:=,@%+-]*) word="'$(printf '%s\n' "$word" | sed "s/'/'\\\\''/g")'" ;;
    esac
    line="$line${line:+ }$word"
  done
  printf '%s\n' "$line"
}
