/*
 * Lets a program choose what streamtrace records. There is no library to link with: without
 * libstrace.so the functions do nothing. C and C++; any thread. Signal handlers too, but only
 * after an earlier call of the same function outside of a handler.
 *
 *     STREAMTRACE_START=paused LD_PRELOAD=libstrace.so ./app
 *
 *     streamtrace_start();
 *     ...                      // recorded: one window of the trace
 *     streamtrace_stop();
 *
 * Windows do not nest: a start inside a window does nothing. glibc before 2.34 needs -ldl.
 *
 * With STREAMTRACE_MODE=watch a program without NVTX tells its steps, in one thread:
 *
 *     for (...) {
 *         streamtrace_step();  // a step begins, and ends the one before
 *         ...
 *
 * From Python: ctypes.CDLL(None).streamtrace_step(), which only libstrace.so has. There nothing is watched between
 * streamtrace_stop() and streamtrace_start().
 */
#ifndef STREAMTRACE_H
#define STREAMTRACE_H

#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline void streamtrace_call_(const char *name)
{
	void *function = dlsym((void *)0 /* RTLD_DEFAULT */, name);

	if (function)
		((void (*)(void))function)();
}

static inline void streamtrace_start(void)
{
	streamtrace_call_("streamtrace_start");
}

static inline void streamtrace_stop(void)
{
	streamtrace_call_("streamtrace_stop");
}

static inline void streamtrace_step(void)
{
	streamtrace_call_("streamtrace_step");
}

#ifdef __cplusplus
}
#endif

#endif
