/* The small tracer of the self-tests: keeps every record and every driver call that CUPTI reports. One thread. A
 * failure fails the test. */
#ifndef FAKE_TRACER_H
#define FAKE_TRACER_H

#include <stddef.h>

#include "fake_cuda.h"

enum { MOST = 512 };

/* What the tracer has seen since a test last zeroed it. Each array has room for MOST items. */
struct tracer_seen {
	CUpti_ActivityKernel10 kernels[MOST];
	CUpti_ActivityMemcpy6 copies[MOST];
	CUpti_ActivityMemset4 sets[MOST];
	CUpti_ActivitySynchronization2 syncs[MOST];
	CUpti_ActivityCudaEvent2 events[MOST];
	CUpti_ActivityMemory4 memories[MOST];
	CUpti_ActivityStream streams[MOST];
	size_t kernel_count, copy_count, set_count, sync_count, event_count, memory_count,
		stream_count, device_count, context_count, overhead_count, buffer_count;
	struct {
		CUpti_CallbackId cbid;
		uint32_t correlation_id;
		int result;
		uint64_t size;
	} calls[MOST];
	size_t call_count;
	size_t streams_created, streams_destroyed, contexts_created;
};
extern struct tracer_seen seen;

extern CUpti_SubscriberHandle subscriber;

/* cmocka's set-up of the group. Subscribes, and enables every callback and every kind of record. Returns 0. */
int set_up_tracer(void **state);
/* Enables every kind of record that the tracer keeps. */
void enable_all_kinds(void);
/* The callbacks for buffers of CUPTI. on_request() allocates BUFFER_BYTES, which on_complete() frees. */
enum { BUFFER_BYTES = 4096 };
void on_request(uint8_t **buffer, size_t *size, size_t *max_records);
void on_complete(CUcontext context, uint32_t stream_id, uint8_t *buffer, size_t size,
		 size_t valid_size);

/* fake_cuda_misuse.c: tests that start a process of their own, `fake_cuda_test NAME`. */
/* Runs in that process what NAME stands for, and returns the exit status. */
int run_named(const char *name);
void test_misuse_aborts(void **state);
void test_injection_happens_once(void **state);
void test_an_early_exit_handler_runs_too_late(void **state);

#endif
