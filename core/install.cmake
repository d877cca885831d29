# The shared object, and what `cmake --install` puts where: headers, archive, shared object, the command, a package for find_package(arenascope) and one
# for pkg-config. A package's targets are arenascope::static, arenascope::shared, and arenascope::arenascope, which BUILD_SHARED_LIBS chooses from.
include(CMakePackageConfigHelpers)

add_library(arenascope-shared SHARED $<TARGET_OBJECTS:objects>)
set_target_properties(arenascope-shared PROPERTIES OUTPUT_NAME arenascope EXPORT_NAME shared VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR})
target_include_directories(arenascope-shared INTERFACE "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
# a symbol that is missing here would only be missed where the library is used
target_link_options(arenascope-shared PRIVATE -Wl,-z,defs)

set(ASC_PACKAGE "${CMAKE_INSTALL_LIBDIR}/cmake/arenascope")
install(DIRECTORY include/asc DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(TARGETS arenascope arenascope-shared EXPORT arenascope)
install(EXPORT arenascope NAMESPACE arenascope:: FILE arenascope-targets.cmake DESTINATION "${ASC_PACKAGE}")

file(WRITE "${CMAKE_BINARY_DIR}/arenascope-config.cmake" [[
include("${CMAKE_CURRENT_LIST_DIR}/arenascope-targets.cmake")
if(NOT TARGET arenascope::arenascope)
  add_library(arenascope::arenascope INTERFACE IMPORTED)
  if(BUILD_SHARED_LIBS)
    set_property(TARGET arenascope::arenascope PROPERTY INTERFACE_LINK_LIBRARIES arenascope::shared)
  else()
    set_property(TARGET arenascope::arenascope PROPERTY INTERFACE_LINK_LIBRARIES arenascope::static)
  endif()
endif()
]])
write_basic_package_version_file("${CMAKE_BINARY_DIR}/arenascope-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/arenascope-config.cmake" "${CMAKE_BINARY_DIR}/arenascope-config-version.cmake"
  DESTINATION "${ASC_PACKAGE}")

# ${pcfiledir} makes the file right wherever the folder is moved to
file(RELATIVE_PATH ASC_PREFIX_FROM_PC "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /prefix)
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/arenascope.pc" @ONLY CONTENT [[
prefix=${pcfiledir}/@ASC_PREFIX_FROM_PC@
Name: arenascope
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Cflags: -I${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
Libs: -L${prefix}/@CMAKE_INSTALL_LIBDIR@ -larenascope
]])
install(FILES "${CMAKE_BINARY_DIR}/arenascope.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
