# Runs a script of node against the program that was built; sourced by the tests beside it, with their arguments: the
# source tree, a folder to work in, the build folder.
#
#     . "$1/tests/server/node.sh"
#     run_node orders.mjs
set -eu
source_tree=$1
work=$2
build=$3
if ! command -v node >/dev/null 2>&1; then
    echo "node is not here"
    exit 77
fi
rm -rf "$work"
mkdir -p "$work"
program=$build/catgut
# Old sanitizer runtimes need fixed addresses; harmless for others.
if command -v setarch >/dev/null 2>&1 && setarch -R true 2>/dev/null; then
    program="setarch -R $program"
fi
case ${build##*/} in
sanitize | tsan)
    CATGUT_SANITIZED=1
    export CATGUT_SANITIZED
    ;;
esac
case ${build##*/} in
tsan)
    CATGUT_SIGNALS_GET_LOST=1
    export CATGUT_SIGNALS_GET_LOST
    ;;
esac
"$build/catgut" check --protocol-js >"$work/protocol.mjs"
run_node() {
    CATGUT_PROGRAM=$program CATGUT_PROTOCOL=$work/protocol.mjs CATGUT_WORK=$work CATGUT_SOURCE=$source_tree \
        node "$source_tree/tests/server/$1"
}
