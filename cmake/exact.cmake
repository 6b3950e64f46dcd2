# Flags with which every compiler rounds alike, so that the same inputs give the same bits (docs/portability.md). They
# come behind those of the user and so have the last word; what they cannot put right src/base/exact.h refuses.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

# No contraction of a*b+c, nothing else that reorders arithmetic. sqrt sets no errno, so that it is one instruction.
add_compile_options(-ffp-contract=off -fno-math-errno)

# On some processors (s390x) strict C evaluates float in double.
check_c_compiler_flag(-fexcess-precision=fast catgut_has_excess_precision)
if(catgut_has_excess_precision)
    add_compile_options(-fexcess-precision=fast)
endif()

# x86 of 32 bits computes in SSE registers; those of the x87 hold 80 bits.
check_c_source_compiles("#ifndef __i386__\n#error\n#endif\nint main(void) { return 0; }" catgut_is_x86_32)
if(catgut_is_x86_32)
    add_compile_options(-msse2 -mfpmath=sse)
endif()

# gcc's vectorizer makes fused instructions of a*b+c beside a*b-c whatever -ffp-contract says, where the processor has
# them: by -march=x86-64-v3 or -v4, -march=native and the like.
check_c_source_compiles(
    "#if (!defined(__x86_64__) && !defined(__i386__)) || defined(__clang__)\n#error\n#endif\nint main(void) { return 0; }"
    catgut_is_x86_gcc)
if(catgut_is_x86_gcc)
    foreach(feature fma fma4 avx512f)
        check_c_compiler_flag(-mno-${feature} catgut_can_leave_${feature})
        if(catgut_can_leave_${feature})
            add_compile_options(-mno-${feature})
        endif()
    endforeach()
endif()
