# find_package(catgut): gives catgut::catgut (static) and, where it was built, catgut::shared.
include(${CMAKE_CURRENT_LIST_DIR}/catgutTargets.cmake)
