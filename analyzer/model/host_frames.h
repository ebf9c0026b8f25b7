/*
 * What the frames of a host thread's stack say about what it was doing: compiling, reading a file,
 * waiting for a worker (host_frames.def). Any thread.
 */
#ifndef STREAMTRACE_HOST_FRAMES_H
#define STREAMTRACE_HOST_FRAMES_H

#include "trace/trace.h"

enum host_frame_doing {
	HOST_FRAME_NOTHING,
	HOST_FRAME_COMPILE,
	HOST_FRAME_READ_FILE,
	HOST_FRAME_WAIT_FOR_WORKER
};

/* What the innermost frame says that says anything: native frames come first. site may be NULL. */
enum host_frame_doing host_frames_doing(const struct trace_site *site);

#endif
