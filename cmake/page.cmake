# The files of the page as a table in the program. They come from web/dist, which the build of the page makes
# (scripts/build-page), or from server/page where there is none. The bytes go in by .incbin: an array of half a megabyte
# takes compilers a second, this takes none.
set(page_folder ${PROJECT_SOURCE_DIR}/web/dist)
if(NOT EXISTS ${page_folder}/index.html)
    set(page_folder ${PROJECT_SOURCE_DIR}/server/page)
endif()
message(STATUS "page: ${page_folder}")

function(catgut_media_type path result)
    cmake_path(GET path EXTENSION LAST_ONLY extension)
    set(type application/octet-stream)
    if(extension STREQUAL ".html")
        set(type "text/html; charset=utf-8")
    elseif(extension STREQUAL ".js")
        set(type "text/javascript; charset=utf-8")
    elseif(extension STREQUAL ".css")
        set(type "text/css; charset=utf-8")
    elseif(extension STREQUAL ".json" OR extension STREQUAL ".map")
        set(type application/json)
    elseif(extension STREQUAL ".txt")
        set(type "text/plain; charset=utf-8")
    elseif(extension STREQUAL ".svg")
        set(type image/svg+xml)
    elseif(extension STREQUAL ".png")
        set(type image/png)
    elseif(extension STREQUAL ".jpg")
        set(type image/jpeg)
    elseif(extension STREQUAL ".ico")
        set(type image/x-icon)
    elseif(extension STREQUAL ".wasm")
        set(type application/wasm)
    elseif(extension STREQUAL ".woff2")
        set(type font/woff2)
    endif()
    set(${result} "${type}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE page_files CONFIGURE_DEPENDS ${page_folder}/*)
list(SORT page_files)
set(page_bytes "")
set(page_names "")
set(page_table "")
set(page_count 0)
foreach(file IN LISTS page_files)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${page_folder} OUTPUT_VARIABLE path)
    catgut_media_type(${path} type)
    set(name cg_page_file_${page_count})
    string(APPEND page_bytes "BYTES(${name}, \"${file}\")\n")
    string(APPEND page_names "extern const unsigned char ${name}[], ${name}_end[];\n")
    string(APPEND page_table "    {\"/${path}\", \"${type}\", ${name}, ${name}_end},\n")
    math(EXPR page_count "${page_count} + 1")
endforeach()
set(page_source ${PROJECT_BINARY_DIR}/page.c)
file(CONFIGURE OUTPUT ${page_source} @ONLY CONTENT [[
// Made by cmake/page.cmake.
#include "assets.h"

#define BYTES(name, path) \
    __asm__(".section .rodata\n.global " #name "\n.global " #name "_end\n" #name ":\n.incbin \"" path "\"\n" #name \
            "_end:\n.byte 0\n.previous\n");
@page_bytes@
@page_names@
const cg_asset cg_assets[] = {
@page_table@};
const int cg_asset_count = @page_count@;
]])
set_source_files_properties(${page_source} PROPERTIES OBJECT_DEPENDS "${page_files}")
