# Experiments that are data (lab/data/NAME.json): the text goes into the program, and each becomes an experiment like those
# in C, which lab/runner runs. Their names stand in lab/experiments/experiments.def.
file(GLOB data_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lab/data/*.json)
list(SORT data_files)
set(data_bytes "")
set(data_experiments "")
foreach(file IN LISTS data_files)
    cmake_path(GET file STEM name)
    file(READ ${file} text)
    string(JSON summary GET "${text}" summary)
    string(JSON source GET "${text}" source)
    string(APPEND data_bytes "BYTES(cg_data_${name}, \"${file}\")\n")
    string(APPEND data_experiments "EXPERIMENT(${name}, \"${summary}\", \"${source}\")\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endforeach()
set(data_source ${PROJECT_BINARY_DIR}/data_experiments.c)
file(CONFIGURE OUTPUT ${data_source} @ONLY CONTENT [[
// Made by cmake/lab.cmake.
#include "runner/data.h"

#define BYTES(name, path) \
    __asm__(".section .rodata\n.global " #name "\n.global " #name "_end\n" #name ":\n.incbin \"" path "\"\n" #name \
            "_end:\n.byte 0\n.previous\n");
#define EXPERIMENT(word, says, whose)                                                      \
    extern const char cg_data_##word[], cg_data_##word##_end[];                            \
    static void run_##word(cg_report *report)                                              \
    {                                                                                      \
        cg_data_run(cg_data_##word, (size_t)(cg_data_##word##_end - cg_data_##word), #word ".json", report); \
    }                                                                                      \
    extern const cg_experiment cg_experiment_##word;                                       \
    const cg_experiment cg_experiment_##word = {.name = #word, .summary = says, .source = whose, .run = run_##word};
@data_bytes@
@data_experiments@]])
set_source_files_properties(${data_source} PROPERTIES OBJECT_DEPENDS "${data_files}")
