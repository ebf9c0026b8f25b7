/*
 * The functions of the CUDA driver that the library calls itself. They are looked up in the libcuda
 * that the program has loaded. The driver is asked, not the runtime, because a runtime call could
 * change the program's last error.
 *
 *	if (DRIVER_CALL(driver_functions(), cuCtxGetDevice)) ...
 */
#ifndef STREAMTRACE_PRELOAD_DRIVER_H
#define STREAMTRACE_PRELOAD_DRIVER_H

#include <cuda.h>

#include <stdatomic.h>

/* What libstrace_try.so asks for besides: each name takes libstrace.so a search at its start. */
#ifdef STREAMTRACE_MAKES_FIXES
#define FIX_FUNCTIONS(X)                                                                           \
	X(cuCtxGetCurrent)                                                                         \
	X(cuCtxGetLimit)                                                                           \
	X(cuCtxSetCurrent)                                                                         \
	X(cuCtxSetLimit)                                                                           \
	X(cuCtxSynchronize)                                                                        \
	X(cuDeviceGetDefaultMemPool)                                                               \
	X(cuEventCreate)                                                                           \
	X(cuEventDestroy_v2)                                                                       \
	X(cuEventQuery)                                                                            \
	X(cuEventRecord)                                                                           \
	X(cuEventSynchronize)                                                                      \
	X(cuMemFreeHost)                                                                           \
	X(cuMemGetInfo_v2)                                                                         \
	X(cuMemHostAlloc)                                                                          \
	X(cuMemHostRegister_v2)                                                                    \
	X(cuMemHostUnregister)                                                                     \
	X(cuMemPoolSetAttribute)                                                                   \
	X(cuMemPrefetchAsync_v2)                                                                   \
	X(cuMemcpyHtoDAsync_v2)                                                                    \
	X(cuStreamDestroy_v2)                                                                      \
	X(cuStreamSynchronize)                                                                     \
	X(cuStreamWaitEvent)
#else
#define FIX_FUNCTIONS(X)
#endif

#define DRIVER_FUNCTIONS(X)                                                                        \
	X(cuCtxGetDevice)                                                                          \
	X(cuDeviceGetAttribute)                                                                    \
	X(cuFuncGetParamInfo)                                                                      \
	X(cuGraphChildGraphNodeGetGraph)                                                           \
	X(cuGraphGetEdges_v2)                                                                      \
	X(cuGraphGetNodes)                                                                         \
	X(cuGraphGetRootNodes)                                                                     \
	X(cuGraphNodeGetType)                                                                      \
	X(cuKernelGetParamInfo)                                                                    \
	X(cuMemHostGetFlags)                                                                       \
	X(cuPointerGetAttributes)                                                                  \
	X(cuStreamGetFlags)                                                                        \
	X(cuStreamIsCapturing)                                                                     \
	X(cuThreadExchangeStreamCaptureMode)                                                       \
	FIX_FUNCTIONS(X)

/* A function is NULL as long as no driver is loaded, and for good if the driver lacks it. */
struct driver {
#define FUNCTION(name) _Atomic(__typeof__(&(name))) name;
	DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/* The function's address, or NULL. Call functions through this macro only: gcc 12 calls through an
 * _Atomic field as if it were not atomic. */
#define DRIVER_CALL(driver, name) atomic_load_explicit(&(driver)->name, memory_order_acquire)

/* Looks the functions up, unless that is done. Never NULL. Any thread, also at once; leaves errno
 * alone. */
const struct driver *driver_functions(void);

#endif
