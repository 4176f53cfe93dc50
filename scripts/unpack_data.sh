#!/bin/sh
# Unpack TEACh's recorded sessions so that tests can read them:
#
#   scripts/unpack_data.sh SRC DEST        then: export TEACH_DATA_DIR=DEST
#
# SRC holds games-<split>.tar.zst, edh_instances/, golden/, task_definitions/, divided_split/ and some *.json;
# DEST gets games/<split>/ and copies of the rest. Running it again only unpacks what has changed in SRC.
set -eu

if [ "$#" -ne 2 ]; then
    echo "usage: $0 SRC DEST" >&2
    exit 2
fi
src=$1
dest=$2

fail() {
    echo "$0: $1" >&2
    exit 1
}

[ -d "$src" ] || fail "$src: no such folder"
set -- "$src"/games-*.tar.zst
[ -e "$1" ] || fail "$src holds no games-<split>.tar.zst"
mkdir -p "$dest/games"

python=$(command -v python3 || command -v python || true)

# Prints the tar stream of an archive: by zstd, else by Python's zstandard.
decompress() {
    if command -v zstd >/dev/null 2>&1; then
        zstd -dcq -- "$1"
    elif [ -n "$python" ] && "$python" -c 'import zstandard' 2>/dev/null; then
        "$python" -c 'import sys, zstandard
with open(sys.argv[1], "rb") as source:
    zstandard.ZstdDecompressor().copy_stream(source, sys.stdout.buffer)' "$1"
    else
        fail "cannot read $1: install zstd (apt-get install zstd) or the Python package zstandard"
    fi
}

work=$(mktemp -d "$dest/.unpacking.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

for archive in "$@"; do
    split=${archive##*/games-}
    split=${split%.tar.zst}
    stamp="$dest/games/.$split.stamp"
    sum=$(cksum <"$archive")
    if [ -d "$dest/games/$split" ] && [ "$(cat "$stamp" 2>/dev/null || true)" = "$sum" ]; then
        continue
    fi
    echo "unpacking $split"
    decompress "$archive" >"$work/games.tar" || fail "$archive is damaged"
    tar -xf "$work/games.tar" -C "$work"
    rm -f "$work/games.tar"
    [ -d "$work/games/$split" ] || fail "$archive holds no games/$split"
    rm -rf "$dest/games/$split"
    mv "$work/games/$split" "$dest/games/$split"
    echo "$sum" >"$stamp"
done

for folder in edh_instances golden task_definitions divided_split alfred_split; do
    if [ -d "$src/$folder" ]; then
        cp -R "$src/$folder" "$work/$folder"
        chmod -R u+w "$work/$folder"
        rm -rf "${dest:?}/$folder"
        mv "$work/$folder" "$dest/$folder"
    fi
done
for file in "$src"/*.json; do
    if [ -e "$file" ]; then
        cp -f "$file" "$dest/"
        chmod u+w "$dest/${file##*/}"
    fi
done
echo "TEACh data is in $dest: $(find "$dest/games" -name '*.game.json' | wc -l | tr -d ' ') sessions"
