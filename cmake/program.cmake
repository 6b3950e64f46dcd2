# The program, and the server in it.

# The server: host and gate know no sockets, so that they can be tested and fuzzed alone.
find_package(Threads REQUIRED)
include(cmake/page.cmake)
add_library(catgut_host STATIC server/host.c server/clock.c server/lessons.c server/mishaps.c server/orders.c server/drivers.c server/kept.c server/past.c
    server/player.c server/training.c server/measured.c server/gate.c server/secret.c server/leads.c server/device_report.c
    server/devices/device_packet.c server/devices/igtl.c server/devices/lines.c server/devices/tardy.c)
target_include_directories(catgut_host PUBLIC server server/devices PRIVATE src)
target_link_libraries(catgut_host PUBLIC catgut_core)
add_library(catgut_server STATIC server/serve.c server/room.c server/room_run.c server/room_wait.c server/sockets.c server/headers.c server/ports.c server/link.c
    server/later.c server/devices/haptics.c server/devices/punctual.c server/assets.c ${page_source})
target_include_directories(catgut_server PRIVATE ${WEBSOCKETS_INCLUDE_DIR})
target_link_libraries(catgut_server PUBLIC catgut_host catgut_pool PRIVATE Threads::Threads
    ${WEBSOCKETS_LIBRARY})

# Everything but main.c is a library too, so that tests can call it. zstd squeezes the recordings that the program writes,
# SQLite keeps its logbook; the library knows neither.
# So are the experiments and benches of lab/, which the program runs.
file(GLOB program_sources CONFIGURE_DEPENDS apps/catgut/*.c apps/catgut/*/*.c lab/*/*.c)
set(program_main ${PROJECT_SOURCE_DIR}/apps/catgut/main.c)
list(REMOVE_ITEM program_sources ${program_main})
if(catgut_has_constraint)
    file(GLOB constraint_experiments CONFIGURE_DEPENDS lab/experiments/constraint/*.c)
    list(APPEND program_sources ${constraint_experiments})
endif()
include(cmake/lab.cmake)
# Which commit it is, looked up at every build.
set(commit_source ${PROJECT_BINARY_DIR}/commit.c)
add_custom_target(catgut_commit BYPRODUCTS ${commit_source}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${commit_source}
        -P ${PROJECT_SOURCE_DIR}/cmake/commit.cmake
    VERBATIM)
set_source_files_properties(${commit_source} PROPERTIES GENERATED ON)
# What others have written, for "catgut --licences"; what is inside the page stands in a file of the page.
set(licence_source ${PROJECT_BINARY_DIR}/licences.c)
file(CONFIGURE OUTPUT ${licence_source} @ONLY CONTENT [[
// Made by cmake/program.cmake.
__asm__(".section .rodata\n.global cg_third_parties\ncg_third_parties:\n"
        ".incbin \"@PROJECT_SOURCE_DIR@/THIRD-PARTIES.txt\"\n.byte 0\n.previous\n");
extern const char cg_third_parties[];
]])
set_source_files_properties(${licence_source} PROPERTIES OBJECT_DEPENDS ${PROJECT_SOURCE_DIR}/THIRD-PARTIES.txt)
add_library(catgut_program STATIC ${program_sources} ${data_source} ${commit_source} ${licence_source})
add_dependencies(catgut_program catgut_commit)
target_include_directories(catgut_program PUBLIC apps/catgut lab PRIVATE src ${ZSTD_INCLUDE_DIR} ${SQLITE_INCLUDE_DIR})
target_link_libraries(catgut_program PUBLIC catgut_core catgut_yardstick catgut_server catgut_gpu PRIVATE catgut_pool ${ZSTD_LIBRARY}
    ${SQLITE_LIBRARY})
if(catgut_has_constraint)
    target_link_libraries(catgut_program PUBLIC catgut_constraint)
endif()
add_executable(catgut_app ${program_main})
set_target_properties(catgut_app PROPERTIES OUTPUT_NAME catgut RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_libraries(catgut_app PRIVATE catgut_program)

# A sweep on many machines (docs/sweeps.md): a program of its own, left out where MPI is missing.
set(MPI_C_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS C)
if(MPI_C_FOUND AND NOT CATGUT_SANITIZE AND NOT CATGUT_TSAN AND NOT CATGUT_FUZZ)
    add_executable(catgut_sweep_mpi ${PROJECT_SOURCE_DIR}/apps/catgut-sweep-mpi/main.c)
    set_target_properties(catgut_sweep_mpi PROPERTIES
        OUTPUT_NAME catgut-sweep-mpi RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    target_link_libraries(catgut_sweep_mpi PRIVATE catgut_program MPI::MPI_C)
elseif(NOT MPI_C_FOUND)
    message(STATUS "left out: catgut-sweep-mpi, for want of MPI (Debian: libopenmpi-dev openmpi-bin)")
endif()

# What the program says about itself, for `man` and for shells: made from the same table of commands as its help.
set(catgut_pages ${PROJECT_BINARY_DIR}/pages)
if(NOT CATGUT_SANITIZE AND NOT CATGUT_TSAN AND NOT CATGUT_FUZZ)
    add_custom_command(
        OUTPUT ${catgut_pages}/catgut.1 ${catgut_pages}/catgut.bash ${catgut_pages}/_catgut ${catgut_pages}/catgut.fish
        COMMAND ${CMAKE_COMMAND} -E make_directory ${catgut_pages}
        COMMAND catgut_app help --man > ${catgut_pages}/catgut.1
        COMMAND catgut_app completion bash > ${catgut_pages}/catgut.bash
        COMMAND catgut_app completion zsh > ${catgut_pages}/_catgut
        COMMAND catgut_app completion fish > ${catgut_pages}/catgut.fish
        DEPENDS catgut_app
        VERBATIM)
    add_custom_target(catgut_pages ALL DEPENDS ${catgut_pages}/catgut.1)
endif()
