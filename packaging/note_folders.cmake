# Runs before anything is installed: each of FOLDERS below the prefix that is missing, and each missing one
# above it, becomes a line of NOTES. uninstall.cmake removes them.
if(NOT CMAKE_INSTALL_COMPONENT)   # Not for packages.
  foreach(folder IN LISTS FOLDERS)
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}" NORMALIZE)
    while(NOT EXISTS "${folder}")
      file(APPEND "${NOTES}" "${folder}\n")
      cmake_path(GET folder PARENT_PATH folder)
    endwhile()
  endforeach()
endif()
