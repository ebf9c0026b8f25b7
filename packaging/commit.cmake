# Writes OUTPUT, a header with the commit that SOURCE is at, if it has changed. Empty where SOURCE is no
# checkout of its own.
set(commit "")
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(commit)
  set(commit " (${commit})")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define STREAMTRACE_COMMIT \"${commit}\"\n" @ONLY)
