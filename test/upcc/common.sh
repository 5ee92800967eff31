# What the scripts of this folder share: where things are, a scratch folder, failing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
UPCC=${UPCC:-$WEFT_BUILD/bin/upcc}
UPCC_SANITIZED=${UPCC_SANITIZED:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $*"
  exit 1
}
