# Every sample, one a line: built by samples/, checked by tests/recordings/ and tests/gpu/.
set(STREAMTRACE_SAMPLES
  pageable_copy
  default_stream
  serial_chunks
  sync_in_loop
  wide_sync
  blocking_copy
  free_sync
  host_callback
  small_kernels
  shared_stream
  tiny_kernels
  host_bound
  fresh_result
  alloc_in_loop
  graph_rebuild
  event_timing
  pool_trim
  register_in_loop
  memset_sync
  lazy_load
  stack_resize
  mesh_patches
  managed_faults
  managed_copy
  image_upload
  single_buffer
  queue_alias
  queue_full
  priority
  issue_order
  small_grid
  resent_weights
  round_trip
  busy_poll
  stream_churn
  loader_empty
  sleep_poll
  compile_in_loop
  preempted
)

# Samples whose GPU waits for the host, one a line: built and not recorded yet.
set(STREAMTRACE_UNRECORDED
  file_read
  lock_held
  page_faults
)

# Programs with nothing to find, one a line: samples/quiet/NAME.cu, checked by tests/gpu/.
set(STREAMTRACE_QUIET
  overlapped
  polling
  dependent_host
  long_kernel
  mapped_results
  per_thread_streams
  dynamic_parallelism
  timed_after
  event_polling
  benchmark
)

# Programs for two GPUs, one a line: samples/two/NAME.cu, checked as the samples are.
set(STREAMTRACE_OF_TWO
  halo_exchange
)
