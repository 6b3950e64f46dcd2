#!/bin/sh
# The completion script works in bash: it offers the commands, their options and their fixed words.
# Arguments: the source tree, a folder to work in, the build folder.
set -eu
work=$2
program=$3
command -v bash >/dev/null 2>&1 || exit 77
mkdir -p "$work"
"$program/catgut" completion bash >"$work/completion.bash"
PATH=$program:$PATH
export PATH
cd "$work"

complete_words() { # complete_words WORD...: what bash offers for the last word
    bash -c '
        . "$1"
        shift
        COMP_WORDS=(catgut "$@")
        COMP_CWORD=$#
        _catgut
        printf "%s " "${COMPREPLY[@]}"' bash "$work/completion.bash" "$@"
}

expect() { # expect OFFERED WORD...
    offered=$1
    shift
    found=$(complete_words "$@")
    if [ "$found" != "$offered" ]; then
        echo "for '$*' bash offers '$found', expected '$offered'" >&2
        exit 1
    fi
}
expect "check " ch
expect "--schema " check --sch
expect "materials " list mat
expect "--json " list --j
expect "bash " completion b
expect "list " help lis
expect "euler_buckling " experiment eul
expect "press press/contact press/step press/step_away press/step_2000 press/step_away_2000 " bench press
expect "hanging " run hang
expect "overhand " run cord --script over
expect "pad " serve pa
