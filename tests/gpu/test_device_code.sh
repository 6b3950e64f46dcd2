#!/bin/sh
# label: once
# label: slow
# The code for graphics processors compiles for two of them, with warnings as errors, where nvcc is on the machine.
# Arguments: the source tree, a folder to work in.
set -eu
root=$1
work=$2
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null 2>&1 || exit 77
mkdir -p "$work"
for name in device kernels_double kernels_float; do
    for faults in "" -DCATGUT_GPU_FAULTS=1; do
        [ "$name" = device ] || [ -z "$faults" ] || continue
        # shellcheck disable=SC2086  # none or one option
        nvcc -std=c++17 -O1 -fmad=false -Werror all-warnings -Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers \
            -gencode=arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=sm_90 --threads 0 $faults \
            -I"$root" -I"$root/src" -I"$root/include" -c "$root/gpu/$name.cu" -o "$work/$name.o" >"$work/log" 2>&1 || {
            cat "$work/log" >&2
            echo "failed: gpu/$name.cu $faults" >&2
            exit 1
        }
        # warnings of the assembler are none of the compiler's options
        ! grep -i warning "$work/log" >&2 || exit 1
    done
done
