# src/constraint: bodies and constraints as one differential-algebraic system. It alone needs SuiteSparse's KLU, so it is
# a library of its own, and is left out where KLU is not installed; the library catgut stays libc and libm.
# Every word that CMake takes for false leaves it out, and a project that takes this one in has to ask for it.
set(catgut_has_constraint OFF)
if(CATGUT_CONSTRAINT STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL)
    message(STATUS "left out: src/constraint; -DCATGUT_CONSTRAINT=ON takes it in")
elseif(CATGUT_CONSTRAINT)
    find_path(KLU_INCLUDE_DIR suitesparse/klu.h)
    find_library(KLU_LIBRARY klu)
    set(remedy "\"scripts/setup run\" installs what is missing")
    if(KLU_INCLUDE_DIR AND KLU_LIBRARY)
        set(catgut_has_constraint ON)
    elseif(CATGUT_CONSTRAINT STREQUAL "AUTO")
        message(STATUS "left out: src/constraint, its experiments and tests, for want of SuiteSparse's KLU (Debian: "
            "libsuitesparse-dev). ${remedy}")
    else()
        message(FATAL_ERROR "src/constraint needs SuiteSparse's KLU (Debian: libsuitesparse-dev). ${remedy}; "
            "-DCATGUT_CONSTRAINT=OFF leaves it out")
    endif()
else()
    message(STATUS "left out, as asked (CATGUT_CONSTRAINT=${CATGUT_CONSTRAINT}): src/constraint, its experiments and tests")
endif()

if(catgut_has_constraint)
    file(GLOB constraint_sources CONFIGURE_DEPENDS src/constraint/*.c)
    add_library(catgut_constraint STATIC ${constraint_sources})
    # A header of a package, whose warnings are not ours.
    target_include_directories(catgut_constraint SYSTEM PRIVATE ${KLU_INCLUDE_DIR})
    target_include_directories(catgut_constraint PRIVATE src)
    target_compile_definitions(catgut_constraint INTERFACE CATGUT_HAVE_CONSTRAINT=1)
    target_link_libraries(catgut_constraint PUBLIC catgut_core PRIVATE ${KLU_LIBRARY})
endif()
