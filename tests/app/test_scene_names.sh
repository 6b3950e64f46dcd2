#!/bin/sh
# Scenes and scripts go by the names that `catgut list` shows, from any folder; what is nearly a name is asked back.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
root=$1
work=$2
program=$3/catgut
rm -rf "$work"
mkdir -p "$work/elsewhere"
cd "$work/elsewhere"
failures=0

fail() {
    echo "failed: $*" >&2
    failures=$((failures + 1))
}

says() { # says CODE WORDS COMMAND...: ends with this code and says these words
    wanted=$1
    words=$2
    shift 2
    code=0
    "$program" "$@" >"$work/words" 2>&1 || code=$?
    if [ "$code" -ne "$wanted" ] || ! grep -qF -e "$words" "$work/words"; then
        fail "catgut $* ended with $code, expected $wanted and '$words':"
        cat "$work/words" >&2
    fi
}

says 0 "state hash" run hanging --seconds 0.01
says 0 "state hash" run hanging.json --seconds 0.01
says 0 "state hash" run cord --script overhand --seconds 0.01
says 0 ": ok: a script" check cord square.script
says 0 ": ok: a script" check jam
says 2 'did you mean "hanging"?' run hangin
says 2 'did you mean "hanging"?' run scenes/hangin.json
says 2 'did you mean "square"?' run cord --script squar
says 2 'did you mean "pad"?' serve padd
says 2 'did you mean "pad"?' serve --scene padd
says 2 'found two scenes' serve pad --scene reef
says 2 '"catgut list scenes" shows' run zzzzzzzzz
says 2 'did you mean "hanging"?' check hangin
says 0 incision list scripts
for list in scenes scripts; do
    "$program" list "$list" --names >"$work/names" || fail "list $list --names"
    [ "$(wc -l <"$work/names")" -ge 6 ] || fail "list $list --names is short"
    while read -r name; do
        [ "$list" = scripts ] || says 0 ": ok: " check "$name"
        [ "$list" = scenes ] || says 0 ": ok: " check "$name.script"
    done <"$work/names"
done

# A scene of one's own goes before those of the program, and a folder of that name does not hide one.
mkdir hanging
says 0 "state hash" run hanging --seconds 0.01
mkdir scenes
echo '{"title": "my own", "duration": 0.01}' >scenes/hanging.json
says 0 "my own" run hanging
says 0 "state hash" run reef --seconds 0.001

# The server takes a scene by name and as a plain word, and a path.
for word in pad "$root/scenes/pad.json" "--scene pad"; do
    rm -f "$work/address"
    : >"$work/address"
    # shellcheck disable=SC2086  # two words
    "$program" serve $word --port 0 >"$work/address" 2>"$work/words" &
    server=$!
    tries=0
    while ! grep -q http: "$work/address" && [ "$tries" -lt 300 ] && kill -0 "$server" 2>/dev/null; do
        sleep 0.1
        tries=$((tries + 1))
    done
    grep -q http: "$work/address" || {
        fail "serve $word"
        cat "$work/words" >&2
    }
    kill "$server" 2>/dev/null || :
    wait "$server" || :
done

if [ "$failures" -ne 0 ]; then
    echo "$failures failed" >&2
    exit 1
fi
