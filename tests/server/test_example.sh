#!/bin/sh
# examples/client.c against a server.
. "$1/tests/server/node.sh"
CATGUT_EXAMPLE=$build/examples/client
export CATGUT_EXAMPLE
run_node example.mjs
