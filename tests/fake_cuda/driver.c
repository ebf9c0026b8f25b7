/* The driver's part: initialization, injection, callbacks, the last error, exit and fork. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

const struct fake_cupti_hooks *_Atomic runtime_hooks;

static pthread_once_t init_once = PTHREAD_ONCE_INIT;
static pthread_once_t context_once = PTHREAD_ONCE_INIT;
static atomic_bool is_down;
static bool is_forked; /* written in a child that has one thread yet */
static _Thread_local bool calls_are_forbidden;
static _Thread_local cudaError_t last_error;

void fake_cuda_abort(const char *format, ...)
{
	char line[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	fprintf(stderr, "fake_cuda: misuse: %s\n", line);
	abort();
}

void fake_cuda_attach(const struct fake_cupti_hooks *hooks)
{
	atomic_store(&runtime_hooks, hooks);
}

bool fake_cuda_is_down(void)
{
	return atomic_load(&is_down);
}

void fake_cuda_forbid_calls(bool is_forbidden)
{
	calls_are_forbidden = is_forbidden;
}

uint32_t fake_cuda_stream_id(CUstream stream, bool per_thread)
{
	uint32_t id;

	device_lock();
	id = device_stream(stream, per_thread)->id;
	device_unlock();
	return id;
}

bool fake_cuda_is_non_blocking(CUstream stream)
{
	bool is_non_blocking;

	device_lock();
	is_non_blocking = device_stream(stream, false)->flag ==
			  CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
	device_unlock();
	return is_non_blocking;
}

static void shut_down(void)
{
	atomic_store(&is_down, true);
}

static void mark_forked(void)
{
	is_forked = true;
}

/* The injected library may change errno: that is for the test to see. */
static void inject(const char *path)
{
	const int saved_errno = errno;
	void *library = dlopen(path, RTLD_NOW);
	int (*initialize)(void) = NULL;

	if (library)
		*(void **)&initialize = dlsym(library, "InitializeInjection");
	errno = saved_errno;
	if (!initialize)
		return; /* the real driver is silent here too */
	calls_are_forbidden = true;
	initialize();
	calls_are_forbidden = false;
}

/* atexit comes first: what the injected library registers then runs before the driver goes down,
 * as with the real one. */
static void driver_init(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	const char *refused = getenv("FAKE_NO_CUPTI_INJECTION");

	dlopen("libcuda.so.1", RTLD_NOW); /* as cudart does; tests run without one, too */
	dlerror();
	atexit(shut_down);
	pthread_atfork(NULL, NULL, mark_forked);
	if (path && *path && !(refused && !strcmp(refused, "1")))
		inject(path);
}

void call_resource(CUpti_CallbackId cbid, CUstream stream)
{
	const struct fake_cupti_hooks *hooks = atomic_load(&runtime_hooks);
	const CUpti_ResourceData data = {.context = &device_context,
					 .resourceHandle.stream = stream};

	if (hooks)
		hooks->resource(cbid, &data);
}

void call_node(CUpti_CallbackId cbid, const CUpti_GraphData *data)
{
	const struct fake_cupti_hooks *hooks = atomic_load(&runtime_hooks);
	const CUpti_ResourceData resource = {.context = &device_context,
					     .resourceDescriptor = (void *)data};

	if (hooks)
		hooks->resource(cbid, &resource);
}

static void context_create(void)
{
	call_resource(CUPTI_CBID_RESOURCE_CONTEXT_CREATED, NULL);
	record_context();
}

static cudaError_t driver_enter(void)
{
	if (calls_are_forbidden)
		fake_cuda_abort("a CUDA call inside InitializeInjection, a buffer callback or a "
				"host function");
	/* As cudart without a driver, or a driver without a GPU: nothing is initialized. */
	if (getenv("FAKE_DRIVER_ERROR"))
		return (cudaError_t)atoi(getenv("FAKE_DRIVER_ERROR"));
	pthread_once(&init_once, driver_init);
	if (is_forked)
		return cudaErrorInitializationError;
	return fake_cuda_is_down() ? cudaErrorCudartUnloading : cudaSuccess;
}

static void tell(struct driver_call *call, CUpti_ApiCallbackSite site, cudaError_t *error)
{
	const struct fake_cupti_hooks *hooks = atomic_load(&runtime_hooks);
	/* Runtime errors that the driver has too have its numbers. */
	CUresult result = (CUresult)*error;
	const CUpti_CallbackData data = {
		.callbackSite = site,
		.functionName = call->name,
		.functionParams = call->params,
		.functionReturnValue = site == CUPTI_API_EXIT ? &result : NULL,
		.symbolName = call->symbol,
		.context = &device_context,
		.contextUid = FAKE_CONTEXT_ID,
		.correlationData = &call->correlation_data,
		.correlationId = call->correlation_id,
	};

	if (hooks)
		hooks->api(call->cbid, &data);
}

static void begin(struct driver_call *call)
{
	static _Atomic uint32_t last_correlation_id;
	cudaError_t error = cudaSuccess;

	call->correlation_id = atomic_fetch_add(&last_correlation_id, 1) + 1;
	call->is_entered = true;
	tell(call, CUPTI_API_ENTER, &error);
}

/* FAKE_OWN_CALLS: cudart makes two driver calls on its own behalf before each that it was asked
 * for. */
static void make_own_calls(void)
{
	const char *wanted = getenv("FAKE_OWN_CALLS");
	cudaError_t error = cudaSuccess;

	for (int i = 0; i < 2 && wanted && !strcmp(wanted, "1"); i++) {
		DRIVER_CALL(cuStreamSynchronize, NULL);
		begin(&call);
		tell(&call, CUPTI_API_EXIT, &error);
	}
}

cudaError_t call_enter(struct driver_call *call)
{
	cudaError_t error = driver_enter();

	if (error)
		return error;
	pthread_once(&context_once, context_create);
	make_own_calls();
	begin(call);
	return cudaSuccess;
}

cudaError_t call_refused(cudaError_t error)
{
	if (error)
		last_error = error;
	return error;
}

cudaError_t call_exit(struct driver_call *call, cudaError_t error)
{
	if (call->is_entered)
		tell(call, CUPTI_API_EXIT, &error);
	return call_refused(error);
}

cudaError_t cudaGetLastError(void)
{
	const cudaError_t error = last_error;

	last_error = cudaSuccess;
	return error;
}

void fake_cuda_set_last_error(cudaError_t error)
{
	last_error = error;
}

cudaError_t cudaPeekAtLastError(void)
{
	return last_error;
}

cudaError_t cudaGetDeviceCount(int *count)
{
	const cudaError_t error = driver_enter();

	if (error || !count)
		return call_refused(error ? error : cudaErrorInvalidValue);
	*count = 1;
	return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error)
{
	switch (error) {
	case cudaSuccess:
		return "no error";
	case cudaErrorInvalidValue:
		return "invalid argument";
	case cudaErrorMemoryAllocation:
		return "out of memory";
	case cudaErrorInitializationError:
		return "initialization error";
	case cudaErrorCudartUnloading:
		return "driver shutting down";
	case cudaErrorInvalidConfiguration:
		return "invalid configuration argument";
	case cudaErrorInvalidMemcpyDirection:
		return "invalid copy direction for memcpy";
	case cudaErrorInvalidDeviceFunction:
		return "invalid device function";
	case cudaErrorInvalidResourceHandle:
		return "invalid resource handle";
	case cudaErrorNotReady:
		return "device not ready";
	case cudaErrorHostMemoryAlreadyRegistered:
		return "part or all of the requested memory range is already mapped";
	default:
		return "unrecognized error code";
	}
}
