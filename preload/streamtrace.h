/*
 * Lets a program choose what streamtrace records. There is no library to link with: without
 * libstrace.so both functions do nothing. C and C++; any thread. Signal handlers too, but only
 * after an earlier call of the same function outside of a handler.
 *
 *     STREAMTRACE_START=paused LD_PRELOAD=libstrace.so ./app
 *
 *     streamtrace_start();
 *     ...                      // recorded: one window of the trace
 *     streamtrace_stop();
 *
 * Windows do not nest: a start inside a window does nothing. glibc before 2.34 needs -ldl.
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

#ifdef __cplusplus
}
#endif

#endif
