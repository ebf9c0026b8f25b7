/* A wrapper and the hooks, as the recorder's tests play them: no CUDA, no file, no writer thread. */
#ifndef STREAMTRACE_RECORDER_CALLS_H
#define STREAMTRACE_RECORDER_CALLS_H

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_test.h"
#include "base/atoms.h"
#include "base/clock.h"
#include "base/losses.h"
#include "base/options.h"
#include "recorder/pack.h"
#include "recorder/recorder.h"
#include "recorder/windows.h"
#include "stack/modules.h"
#include "stack/walk.h"

static _Atomic int first_calls, first_records, wakes;

static inline void on_first_call(void)
{
	first_calls++;
	errno = EBUSY;
	if (recorder_begin())
		recorder_pause(false);
}

static inline void on_first_record(void)
{
	first_records++;
	errno = EBUSY;
}

static int resume_at; /* how many wake-ups bring the writer thread back; 0: it never comes */

static inline void on_wake(void)
{
	wakes++;
	if (resume_at && wakes == resume_at)
		windows_resume();
}

static const struct recorder_hooks hooks = {on_first_call, on_first_record, on_wake};

static inline int set_up(void **state)
{
	walk_start();
	recorder_after_fork();
	recorder_set_hooks(&hooks);
	atomic_store(&recorder_state, RECORDER_IDLE);
	recorder_thread = (struct recorder_thread){0};
	first_calls = first_records = wakes = resume_at = 0;
	for (int loss = 0; loss < LOSS_COUNT; loss++)
		losses_take(loss);
	return 0;
}

/* In the wrapper's own frame, as its caller is found from there. */
static inline __attribute__((always_inline)) bool enter(struct recorder_call *call)
{
	call->caller = CALLER_HERE();
	return recorder_enter(call, 2) != 0;
}

/* A wrapper, but for the call itself and its arguments; false: it was not recorded. */
__attribute__((noinline, unused)) static bool make_call(int function)
{
	struct recorder_call call;
	struct record *record;

	if (!enter(&call))
		return false;
	record = recorder_leave(function, 0, clock_now_ns(), &call);
	if (record)
		recorder_commit();
	return record;
}

/* A full segment, taken record by record. */
static struct ring_batch batch;
static uint32_t batch_taken;

/* The oldest record, which is the test's until the next one is asked for; NULL: none. */
static inline const struct record *next_record(struct ring *ring)
{
	static struct record copy;

	if (!batch.records) {
		if (!ring_next(ring, &batch))
			return NULL;
		assert_null(batch.packed);
		batch_taken = 0;
		if (batch.is_current)
			batch.count = 1;
	}
	copy = batch.records[batch_taken++];
	if (batch_taken == batch.count) {
		ring_give_back(&batch);
		batch.records = NULL;
	}
	return &copy;
}

static inline int function_of_first(const struct ring *ring)
{
	const struct segment *segment = atomic_load(&ring->current);

	assert_int_equal(segment->taken, 0);
	return segment->records[0].function;
}

/* As the writer does it once an orphan is empty. */
static inline void set_free(struct ring *ring)
{
	assert_int_equal(atomic_load(&ring->state), RING_ORPHANED);
	while (next_record(ring))
		;
	assert_true(ring_is_empty(ring));
	ring_free(ring);
}

#endif
