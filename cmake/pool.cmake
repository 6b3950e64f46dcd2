# The pool of worker threads: a library of its own, so that the library itself starts no thread and needs none. Left out
# where the system has no threads of POSIX.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads QUIET)
if(CMAKE_USE_PTHREADS_INIT)
    add_library(catgut_pool STATIC pool/workers.c pool/workers_batch.c)
    # It goes into shared libraries of others, too.
    set_target_properties(catgut_pool PROPERTIES POSITION_INDEPENDENT_CODE ON EXPORT_NAME pool)
    add_library(catgut::pool ALIAS catgut_pool)
    target_include_directories(catgut_pool PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/pool/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:include>)
    target_link_libraries(catgut_pool PUBLIC Threads::Threads)
else()
    message(STATUS "left out: the pool of workers, for want of POSIX threads")
endif()
