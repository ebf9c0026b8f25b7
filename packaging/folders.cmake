# Where files are installed. Which of these folders are missing is noted first, so that `uninstall` leaves those
# that were there before.
set(installed_folders
  ${CMAKE_INSTALL_BINDIR}
  ${CMAKE_INSTALL_LIBDIR}
  ${CMAKE_INSTALL_INCLUDEDIR}
  ${CMAKE_INSTALL_MANDIR}/man1
  ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
  ${CMAKE_INSTALL_DATADIR}/pkgconfig
  ${CMAKE_INSTALL_DATADIR}/cmake/streamtrace
  ${CMAKE_INSTALL_DATADIR}/streamtrace
  ${CMAKE_INSTALL_DOCDIR})
install(CODE "set(FOLDERS \"${installed_folders}\")\nset(BUILD \"${CMAKE_BINARY_DIR}\")" ALL_COMPONENTS)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/note_folders.cmake ALL_COMPONENTS)
