# What `cmake --install BUILD --prefix WHERE` puts where: the program, the library (static and shared) with its headers, a
# pkg-config file, a package for find_package(catgut), scenes and documents. The installed tree may be moved as a whole.
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
        PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
    target_link_libraries(catgut_shared PRIVATE m)
    install(TARGETS catgut_shared EXPORT catgutTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

install(DIRECTORY include/catgut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/catgut.pc.in catgut.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/catgut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

write_basic_package_version_file(catgut-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT catgutTargets NAMESPACE catgut:: DESTINATION ${package_dir})
install(FILES cmake/catgut-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/catgut-config-version.cmake
    DESTINATION ${package_dir})

if(TARGET catgut_app)
    install(TARGETS catgut_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/catgut)
# Scenes name it by this path from their own folder.
install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/catgut/docs OPTIONAL)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.jpg" PATTERN "evidence" EXCLUDE)
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
