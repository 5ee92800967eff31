# Strangers, pulled cables and lost connections over a libfabric 2.x, whose TCP provider is another one than
# libfabric 1.17's.
set -u
. "$WEFT_SOURCE/test/today.sh"
STREAM_PROVIDER=tcp sh "$WEFT_SOURCE/test/fault/stranger.sh" || exit
sh "$WEFT_SOURCE/test/fault/links.sh" tcp
