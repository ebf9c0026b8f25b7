/*
 * The functions of the CUDA driver that measuring needs, as every libcuda.so.1 since CUDA 11.4 has them. The
 * library is loaded, not linked, so that the analyzer also runs without a driver. One thread.
 */
#ifndef STREAMTRACE_DRIVER_H
#define STREAMTRACE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each function returns 0 on success. Contexts, streams and events are opaque pointers. A comment names the
 * function of the driver, whose manual explains the parameters. Copies are asynchronous. There is no member to free
 * or destroy anything but unpin(): measuring runs in a child process that ends afterwards (child.h). */
struct driver {
	int (*init)(unsigned int flags);			 /* cuInit */
	int (*device_get)(int *device, int ordinal);		 /* cuDeviceGet */
	int (*context_retain)(void **context, int device);	 /* cuDevicePrimaryCtxRetain */
	int (*context_set)(void *context);			 /* cuCtxSetCurrent */
	int (*stream_create)(void **stream, unsigned int flags); /* cuStreamCreate */
	int (*host_alloc)(void **memory, size_t bytes, unsigned int flags); /* cuMemHostAlloc */
	int (*device_alloc)(uint64_t *address, size_t bytes);		    /* cuMemAlloc */
	/* cuMemcpyHtoDAsync and cuMemcpyDtoHAsync: */
	int (*copy_in)(uint64_t dst, const void *src, size_t bytes, void *stream);
	int (*copy_out)(void *dst, uint64_t src, size_t bytes, void *stream);
	int (*event_create)(void **event, unsigned int flags);	    /* cuEventCreate */
	int (*event_record)(void *event, void *stream);		    /* cuEventRecord */
	int (*event_synchronize)(void *event);			    /* cuEventSynchronize */
	int (*event_elapsed)(float *ms, void *start, void *end);    /* cuEventElapsedTime */
	int (*device_uuid)(unsigned char uuid[16], int device);	    /* cuDeviceGetUuid */
	int (*pin)(void *memory, size_t bytes, unsigned int flags); /* cuMemHostRegister */
	int (*unpin)(void *memory);				    /* cuMemHostUnregister */
	int (*can_reach)(int *can, int device, int other);	    /* cuDeviceCanAccessPeer */
	int (*enable_peer)(void *context, unsigned int flags);	    /* cuCtxEnablePeerAccess */
	int (*copy_peer)(uint64_t dst, void *dst_context, uint64_t src, void *src_context,
			 size_t bytes, void *stream); /* cuMemcpyPeerAsync */
};

/* A function of a library that is loaded at run time, and where in a struct its address goes. */
struct library_symbol {
	const char *name;
	size_t offset;
};

/* Stores the addresses of all symbols in *functions. False: the library, an open handle of dlopen(), lacks one. */
bool driver_find_symbols(void *library, const struct library_symbol *symbols, size_t count,
			 void *functions);

/* Sets all members; none is NULL after true. The library stays loaded. False: there is no driver, or the driver
 * lacks one of the functions; *driver must then not be used. */
bool driver_load(struct driver *driver);

/* Whether the device has the uuid, a text that begins with "GPU-" or "MIG-". False also if the driver fails to
 * say. */
bool driver_is_device(const struct driver *driver, int device, const char *uuid);

#endif
