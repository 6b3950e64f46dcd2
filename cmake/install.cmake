# What `make install` (`cmake --install BUILD --prefix WHERE`) puts where: the program with its manual page and completion,
# the library (static and shared) with its headers, a pkg-config file, a package for find_package(catgut), scenes and
# documents. The installed tree may be moved as a whole.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/catgut)

# catgut::catgut is the static library, catgut::shared the shared one.
set_target_properties(catgut_core PROPERTIES EXPORT_NAME catgut)
install(TARGETS catgut_core EXPORT catgutTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# Only names of the public headers leave the shared library (catgut/api.h). Sanitizers want to be linked into the
# program, so they get the static one only.
if(CATGUT_SHARED AND NOT CATGUT_SANITIZE)
    add_library(catgut_shared SHARED $<TARGET_OBJECTS:catgut_objects>)
    set_target_properties(catgut_shared PROPERTIES
        OUTPUT_NAME catgut EXPORT_NAME shared VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
    target_include_directories(catgut_shared
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
    target_link_libraries(catgut_shared PRIVATE m)
    if(WIN32)
        # A DLL gives out all it has, or what a list says: the names of the public headers.
        set(exports ${PROJECT_BINARY_DIR}/catgut.def)
        add_custom_command(OUTPUT ${exports}
            COMMAND sh ${PROJECT_SOURCE_DIR}/scripts/windows-exports ${CMAKE_NM} $<TARGET_FILE:catgut_core>
                ${PROJECT_SOURCE_DIR}/include > ${exports}
            DEPENDS catgut_core ${PROJECT_SOURCE_DIR}/scripts/windows-exports VERBATIM)
        target_sources(catgut_shared PRIVATE ${exports})
        set_target_properties(catgut_shared PROPERTIES LINK_DEPENDS ${exports})
        # A DLL that needs no other one of the compiler's.
        target_link_options(catgut_shared PRIVATE -static-libgcc)
    endif()
    install(TARGETS catgut_shared EXPORT catgutTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(DIRECTORY include/catgut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

if(TARGET catgut_pool)
    install(TARGETS catgut_pool EXPORT catgutTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(DIRECTORY pool/include/catgut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
endif()

file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
# Programs must find the shared library when they start. In /usr and /usr/local the loader looks by itself, once ldconfig
# has told it; elsewhere the place goes into the program, by pkg-config's words.
set(run_path)
configure_file(cmake/catgut.pc.in pkgconfig/system/catgut.pc @ONLY)
set(run_path " -Wl,-rpath,\${libdir}")
configure_file(cmake/catgut.pc.in pkgconfig/elsewhere/catgut.pc @ONLY)
install(CODE "
    set(prefix \"\${CMAKE_INSTALL_PREFIX}\")
    set(kind elsewhere)
    if(prefix STREQUAL /usr OR prefix STREQUAL /usr/local)
        set(kind system)
    endif()
    file(INSTALL \"${CMAKE_CURRENT_BINARY_DIR}/pkgconfig/\${kind}/catgut.pc\"
        DESTINATION \"\${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\")
    if(kind STREQUAL system AND \"\$ENV{DESTDIR}\" STREQUAL \"\")
        find_program(ldconfig ldconfig PATHS /sbin /usr/sbin)
        execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
        if(ldconfig AND user STREQUAL 0)
            message(STATUS \"Telling the loader: \${ldconfig}\")
            execute_process(COMMAND \${ldconfig})
        endif()
    endif()")

write_basic_package_version_file(catgut-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT catgutTargets NAMESPACE catgut:: DESTINATION ${package_dir})
install(FILES cmake/catgut-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/catgut-config-version.cmake
    DESTINATION ${package_dir})

if(TARGET catgut_app)
    install(TARGETS catgut_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET catgut_pages)
    install(FILES ${catgut_pages}/catgut.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${catgut_pages}/catgut.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME catgut)
    install(FILES ${catgut_pages}/_catgut DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${catgut_pages}/catgut.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
# The program finds them from where it lies: ../share/catgut/scenes.
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/catgut)
# Scenes name it by this path from their own folder.
install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/catgut/docs OPTIONAL)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.jpg" PATTERN "evidence" EXCLUDE)
# What others have written, and what is inside the page of theirs.
install(FILES ${page_folder}/licences.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME page-licences.txt OPTIONAL)
install(FILES README.md LICENSE THIRD-PARTIES.txt CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
