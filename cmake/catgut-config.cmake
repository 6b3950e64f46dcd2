# find_package(catgut): gives catgut::catgut (static) and, where it was built, catgut::shared, and where threads are
# catgut::pool, the pool of workers.
include(CMakeFindDependencyMacro)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads QUIET)
include(${CMAKE_CURRENT_LIST_DIR}/catgutTargets.cmake)
