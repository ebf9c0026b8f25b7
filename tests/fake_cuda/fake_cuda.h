/*
 * A stand-in for the CUDA runtime and for CUPTI, for tests of libstrace.so without a GPU.
 *
 * libcudart.so.13 here runs programs on one virtual device (device.h); libcupti.so.13 here reports
 * it. Both have the real sonames, prototypes, record layouts and symbol versions. A kernel is a
 * host function `void kernel(void **args)`: it runs at the launch, and *(uint64_t *)args[0] is the
 * time in ns that it takes on the device. Misuse that real libraries answer with undefined
 * behaviour (a destroyed handle, a double free, a buffer handed out twice) ends the program:
 * SIGABRT after one line on stderr.
 *
 * Environment:
 *   CUDA_INJECTION64_PATH       a library that is loaded at the first call, as the driver does at cuInit
 *   FAKE_NO_CUPTI_INJECTION=1   that library is not loaded
 *   FAKE_DRIVER_ERROR=N         every call fails with error N; 35: no driver, 100: no GPU
 *   FAKE_CUPTI_BUSY=1           someone else has subscribed to CUPTI
 *   FAKE_ZERO_TIMESTAMPS=1      every third kernel, copy or set is recorded with times of 0
 *   FAKE_DROPPED_RECORDS=N      CUPTI says once that it dropped N records
 *   FAKE_BUFFERS_AT_ONCE=N      CUPTI fills N buffers in turn, as with N threads
 *   FAKE_UNKNOWN_RECORDS=N      N records of a kind that nobody enabled come first
 *   FAKE_FLUSH_ERRORS=N         the first N flushes fail
 *   FAKE_SPLIT_COPIES=1         a 2D copy is two driver calls, one for each half of its rows
 *   FAKE_OWN_CALLS=1            cudart makes two more driver calls before each
 *   FAKE_PROGRAMMATIC_EDGES=1   the edges of graphs are of programmatic dependent launches
 *
 * The same sources make libcudart.so.12 and libcupti.so.12, with a device of their own. Two fronts
 * lead to the device of libcudart.so.13: cudart_front.c (a second major in one process, or cudart
 * linked statically) and driver_front.c (libcuda.so.1).
 *
 *   FAKE_PAGEABLE_ACCESS=1      kernels reach the heap
 *   FAKE_HOST_TABLES=1          the same, through the host's page tables
 *   FAKE_DEVICE_BYTES=N         allocations of device memory fail that would make it more than N bytes
 *   FAKE_PINNED_BYTES=N         likewise of pinned memory
 *   FAKE_MANAGED=records        cudaMallocManaged() is followed by records of managed memory
 *   FAKE_MANAGED=refused        CUPTI cannot count managed memory here
 *
 * Not modelled: runtime-domain callbacks (they can be enabled and never come), API activity
 * records, graphs of several streams and their update, operations that wait for a host function
 * (hosts do), several devices, the limit of the launch queue.
 *
 * This header is what the two libraries share, and the launch symbol that no CUDA header gives to
 * C.
 */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stdbool.h>
#include <stdint.h>

#include <cuda_runtime_api.h>
#include <cupti.h>

/* A launch with <<<>>> compiles to these calls. The kernel handle is the host function. */
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
			       size_t shared_bytes, cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
				    size_t shared_bytes, cudaStream_t stream);

/* Functions of libcupti that libcudart calls, from any thread, without a lock held. */
struct fake_cupti_hooks {
	void (*api)(CUpti_CallbackId cbid, const CUpti_CallbackData *data);
	void (*resource)(CUpti_CallbackId cbid, const CUpti_ResourceData *data);
	/* Copies an activity record, which is complete at complete_ns of CLOCK_REALTIME. */
	void (*record)(const void *record, uint64_t complete_ns);
};

/* Functions of libcupti for tests. Whether the tracer has enabled callbacks of a driver call, and records of a
 * kind. */
bool cupti_fake_reports(CUpti_CallbackId driver_cbid);
bool cupti_fake_records(CUpti_ActivityKind kind);
/* From the first call of this function on, cuptiActivityFlushAll() does its work and then blocks; only the first
 * `free_count` flushes return. A later call with a larger free_count releases more flushes. Returns how many flushes
 * came since the first call. */
unsigned int cupti_fake_hold_flushes(unsigned int free_count);

/* Functions of libcudart for libcupti and for tests. Any thread. hooks must stay valid; NULL: detach. */
void fake_cuda_attach(const struct fake_cupti_hooks *hooks);
uint32_t fake_cuda_stream_id(CUstream stream, bool per_thread);
bool fake_cuda_is_captured(CUstream stream);
bool fake_cuda_is_non_blocking(CUstream stream);
CUpti_ActivityMemoryKind fake_cuda_memory_kind(const void *address);
/* Sets *flags to the flags that the pinned memory at address was allocated with. False: the address is not in pinned
 * memory. */
bool fake_cuda_host_flags(const void *address, unsigned int *flags);
uint64_t fake_cuda_node_id(CUgraphNode node);
uint32_t fake_cuda_graph_id(CUgraph graph);
/* The graph's node number `index`, from 0: each depends on the one before; NULL: there are no more. The type of a node,
 * and the graph of one that is a child graph, or NULL. */
CUgraphNode fake_cuda_graph_node(CUgraph graph, size_t index);
CUgraphNodeType fake_cuda_node_type(CUgraphNode node);
CUgraph fake_cuda_node_child(CUgraphNode node);
/* For tests. Makes CUPTI report a clone of the node while no call is under way. */
void fake_cuda_tell_node(CUgraphNode node);
/* For tests. Makes the driver call with that id, which waits for the device, ends the context and frees all pinned
 * memory. The next call has a context again. CUPTI reports the end during the call, before the memory is freed, as
 * the real one does. */
cudaError_t fake_cuda_end_context(CUpti_CallbackId driver_cbid);
/* For tests. Makes the driver call with that id and these parameters, which loads code. A result other than cudaSuccess: the
 * driver refuses the code. */
cudaError_t fake_cuda_load(CUpti_CallbackId driver_cbid, const void *params, cudaError_t result);
/* For tests. Sets the sizes in bytes of the kernel's count parameters, at most 8. A kernel without this call has one
 * parameter, the uint64_t of its time. */
void fake_cuda_set_parameters(const void *kernel, const size_t *sizes, size_t count);
/* Sets the offset and the size in bytes of a parameter; index counts from 0. False: the kernel has no such
 * parameter. */
bool fake_cuda_parameter(const void *kernel, size_t index, size_t *offset, size_t *size);
/* For tests. The host touches the managed memory at the address, all of it. If it is on the device, it moves to the host, for which the
 * host waits. A kernel with a parameter that points to memory which is on the host faults for it, and takes longer, unless it is
 * prefetched. */
void fake_cuda_touch(void *address);
/* For tests. The bytes of all prefetches so far. */
size_t fake_cuda_prefetched_bytes(void);
/* Returns the device's clock in ns: CLOCK_REALTIME, or the own clock. */
uint64_t fake_cuda_now_ns(void);
/* For tests of the device alone, without host functions. From this call on the device has its own clock. That clock
 * advances only when the thread of this call reads it; a wait sets it forward instead of sleeping. So no test waits,
 * and its order of events depends neither on the machine nor on other threads. */
void fake_cuda_use_own_clock(void);
bool fake_cuda_has_own_clock(void);
/* Sets what cudaGetLastError() returns on this thread. */
void fake_cuda_set_last_error(cudaError_t error);
/* For tests. The bytes of memory of this kind that are allocated now. */
size_t fake_cuda_allocated_bytes(CUpti_ActivityMemoryKind kind);
bool fake_cuda_is_down(void);			/* the driver's exit handler has run */
void fake_cuda_forbid_calls(bool is_forbidden); /* in this thread, while CUPTI asks for buffers */
/* Prints one line on stderr and ends the program with SIGABRT. */
_Noreturn void fake_cuda_abort(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The device's UUID, 16 bytes. */
#define FAKE_UUID "\x01\x23\x45\x67\x89\xab\xcd\xef\x10\x32\x54\x76\x98\xba\xdc\xfe"

enum { FAKE_CONTEXT_ID = 1, FAKE_DEVICE_ID = 0, FAKE_NULL_STREAM_ID = 7 };

#endif
