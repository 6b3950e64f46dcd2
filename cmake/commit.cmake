# Writes which commit is built into OUT, a C file, each time something is built: `cmake -DSOURCE=... -DOUT=... -P` this.
# "+changed" says that files differ from the commit; outside of a checkout it is "unknown". The file is touched only when
# what it says is new.
set(commit unknown)
find_program(git git)
if(git AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=12 HEAD
        OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
        set(commit ${head})
        execute_process(COMMAND ${git} -C ${SOURCE} --no-optional-locks status --porcelain -uno
            OUTPUT_VARIABLE changes ERROR_QUIET)
        if(NOT changes STREQUAL "")
            string(APPEND commit "+changed")
        endif()
    endif()
endif()
set(text "// Made by cmake/commit.cmake.\nextern const char cg_commit_text[];\nconst char cg_commit_text[] = \"${commit}\";\n")
set(before "")
if(EXISTS ${OUT})
    file(READ ${OUT} before)
endif()
if(NOT before STREQUAL text)
    file(WRITE ${OUT} "${text}")
endif()
