/*
 * The driver's functions that the library asks by itself: of the driver that the program has loaded, for
 * asking the runtime could set the program's last error.
 */
#ifndef STREAMTRACE_DRIVER_H
#define STREAMTRACE_DRIVER_H

#include <cuda.h>

#include <stdatomic.h>

#define DRIVER_FUNCTIONS(X)                                                                        \
	X(cuCtxGetDevice)                                                                          \
	X(cuDeviceGetAttribute)                                                                    \
	X(cuFuncGetParamInfo)                                                                      \
	X(cuKernelGetParamInfo)                                                                    \
	X(cuMemHostGetFlags)                                                                       \
	X(cuPointerGetAttributes)                                                                  \
	X(cuStreamGetFlags)                                                                        \
	X(cuStreamIsCapturing)                                                                     \
	X(cuThreadExchangeStreamCaptureMode)

/* NULL: it was not looked for yet, or the driver has none. */
struct driver {
#define FUNCTION(name) _Atomic(__typeof__(&(name))) name;
	DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/* The function to call: gcc 12 calls through a field itself as if it were not atomic. */
#define DRIVER_CALL(driver, name) atomic_load_explicit(&(driver)->name, memory_order_acquire)

/* The functions, looked for unless they are there. Any thread, also at once; leaves errno alone. */
const struct driver *driver_functions(void);

#endif
