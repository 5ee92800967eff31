#!/bin/sh
# What another user has put below the library's folder is not loaded (src/fabric/no_psm).
#   no_psm.sh WEFTRUN PROGRAM LIBRARY-FOLDER
set -e
[ "$(id -u)" -eq 0 ] || { echo "skipped: only root gives files away"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -a "$3"/libweft.so* "$3"/weft "$folder"
chmod 755 "$folder"
export LD_LIBRARY_PATH="$folder"
"$1" -n 2 --nodes 2 "$2"
chown 12345 "$folder"/weft/libpsm*
"$1" -n 2 --nodes 2 "$2" foreign
