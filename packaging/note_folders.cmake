# Runs before anything is installed: each of FOLDERS below the prefix that is missing, and each missing one
# above it, becomes a line of BUILD/install_folders.txt. uninstall.cmake removes them.
if(NOT CMAKE_INSTALL_COMPONENT MATCHES "^(Unspecified|wheel)$")   # Those of the packages.
  foreach(folder IN LISTS FOLDERS)
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}" NORMALIZE)
    while(NOT EXISTS "${folder}")
      file(APPEND "${BUILD}/install_folders.txt" "${folder}\n")
      cmake_path(GET folder PARENT_PATH folder)
    endwhile()
  endforeach()
endif()
