#!/bin/sh
# What stands in for PSM's libraries is not loaded if another user may have put it there, and given up if libfabric does not
# come up with it (src/fabric/no_psm).
#   no_psm.sh WEFTRUN PROGRAM LIBRARY-FOLDER
set -e
[ "$(id -u)" -eq 0 ] || { echo "skipped: only root gives files away"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -a "$3"/libweft.so* "$3"/weft "$folder"
chmod 755 "$folder"
export LD_LIBRARY_PATH="$folder"
"$1" -n 2 --nodes 2 "$2"
chown 12345 "$folder/weft"
"$1" -n 2 --nodes 2 "$2" foreign
chown 0 "$folder/weft"
chmod 777 "$folder/weft"
"$1" -n 2 --nodes 2 "$2" open
chmod 755 "$folder/weft"
cc -shared -Wl,-soname,libpsm2.so.2 -o "$folder/weft/libpsm2.so.2" -x c /dev/null # has no functions
"$1" -n 2 --nodes 2 "$2" lacking
