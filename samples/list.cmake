# Every sample, one a line: built by samples/, checked by tests/recordings/ and tests/gpu/.
set(STREAMTRACE_SAMPLES
  pageable_copy
  default_stream
  serial_chunks
)
