#include "nvtx/open_ranges.h"

#include "base/clock.h"
#include "base/losses.h"
#include "nvtx/step_windows.h"
#include "recorder/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

/* Bits of ids: all ids of nvtxRangeStart(), and those of them that have no record. */
#define STARTED_BIT    ((uint64_t)1 << 63)
#define UNRECORDED_BIT ((uint64_t)1 << 62)

enum open_state {
	OPEN_IS_LOST, /* its end must not be recorded either */
	OPEN_WAITS,   /* its begin is in waiting[] at the same depth, and may belong to a window */
	OPEN_IS_SENT
};

struct open_range {
	uint64_t id;
	const struct atom *domain;
	uint32_t resumed; /* value of recorder_resumed when it began */
	enum open_state state;
};

struct open_ranges {
	uint64_t thread; /* upper half of each id */
	uint32_t depth, pushed;
	uint32_t too_deep; /* open ranges beyond OPEN_RANGES_MOST */
	bool has_waiting;
	struct open_range ranges[OPEN_RANGES_MOST];
	union range_record waiting[OPEN_RANGES_MOST];
};

static __thread struct open_ranges *mine __attribute__((tls_model("initial-exec")));

static _Atomic uint64_t thread_count, started_count;
static pthread_key_t end_key;
static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;
static bool end_key_ok;

static void send_end(uint64_t id)
{
	const union range_record end = {
		.fields = {.kind = RECORD_RANGE_END, .id = id, .time_ns = clock_now_ns()}};

	recorder_range(&end);
}

/* Ranges pushed on a thread end with it. */
static void on_thread_end(void *memory)
{
	struct open_ranges *ranges = memory;

	while (ranges->depth > 0)
		if (ranges->ranges[--ranges->depth].state == OPEN_IS_SENT)
			send_end(ranges->ranges[ranges->depth].id);
	mine = NULL;
	munmap(ranges, sizeof(*ranges));
}

static void end_key_create(void)
{
	end_key_ok = pthread_key_create(&end_key, on_thread_end) == 0;
}

static __attribute__((noinline)) struct open_ranges *join_ranges(void)
{
	int saved_errno = errno;
	struct open_ranges *ranges = MAP_FAILED;

	pthread_once(&end_key_once, end_key_create);
	if (end_key_ok)
		ranges = mmap(NULL, sizeof(*ranges), PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ranges != MAP_FAILED && pthread_setspecific(end_key, ranges)) {
		munmap(ranges, sizeof(*ranges));
		ranges = MAP_FAILED;
	}
	errno = saved_errno;
	if (ranges == MAP_FAILED)
		return NULL;
	ranges->thread = (atomic_fetch_add(&thread_count, 1) + 1) << 32;
	mine = ranges;
	return ranges;
}

static __attribute__((noinline)) void send_waiting(struct open_ranges *ranges)
{
	if (!recorder_takes_ranges())
		return;
	ranges->has_waiting = false;
	for (uint32_t i = 0; i < ranges->depth && i < OPEN_RANGES_MOST; i++)
		if (ranges->ranges[i].state == OPEN_WAITS)
			ranges->ranges[i].state =
				recorder_range(&ranges->waiting[i]) ? OPEN_IS_SENT : OPEN_IS_LOST;
}

void open_ranges_send_waiting(void)
{
	if (mine && mine->has_waiting)
		send_waiting(mine);
}

/* Between windows, or before the first call. */
static __attribute__((noinline)) void wait_for_window(struct open_ranges *ranges,
						      const union range_record *begin)
{
	struct open_range *range = &ranges->ranges[ranges->depth];

	ranges->waiting[ranges->depth] = *begin;
	ranges->has_waiting = true;
	range->resumed = atomic_load_explicit(&recorder_resumed, memory_order_relaxed);
	range->state = OPEN_WAITS;
}

void open_ranges_push(union range_record *begin)
{
	struct open_ranges *ranges = mine ? mine : join_ranges();
	struct open_range *range;

	if (!ranges || ranges->depth == OPEN_RANGES_MOST) {
		losses_count(LOSS_RANGE, 1);
		if (ranges)
			ranges->too_deep++;
		return;
	}
	if (__builtin_expect(step_windows_are_on, 0))
		step_windows_range(begin, ranges->thread | ranges->depth);
	if (__builtin_expect(ranges->has_waiting, 0))
		send_waiting(ranges);
	begin->fields.kind = RECORD_RANGE_PUSH;
	begin->fields.id = ranges->thread | ++ranges->pushed;
	begin->fields.time_ns = clock_now_ns();
	range = &ranges->ranges[ranges->depth];
	range->id = begin->fields.id;
	range->domain = begin->fields.domain;
	if (__builtin_expect(recorder_takes_ranges(), 1))
		range->state = recorder_range(begin) ? OPEN_IS_SENT : OPEN_IS_LOST;
	else
		wait_for_window(ranges, begin);
	ranges->depth++;
}

/* Ranges of different domains need not end in the inverse order of their begins. */
static __attribute__((noinline)) void close_gap(struct open_ranges *ranges, uint32_t index)
{
	for (uint32_t i = index; i + 1 < ranges->depth; i++) {
		ranges->ranges[i] = ranges->ranges[i + 1];
		ranges->waiting[i] = ranges->waiting[i + 1];
	}
}

void open_ranges_pop(const struct atom *domain)
{
	struct open_ranges *ranges = mine;
	struct open_range *range;
	uint32_t index;

	if (!ranges)
		return;
	if (ranges->too_deep) {
		ranges->too_deep--;
		return;
	}
	for (index = ranges->depth; index > 0; index--)
		if (ranges->ranges[index - 1].domain == domain)
			break;
	if (!index--)
		return;
	if (__builtin_expect(ranges->has_waiting, 0))
		send_waiting(ranges);
	range = &ranges->ranges[index];
	/* A window was opened meanwhile. */
	if (range->state == OPEN_WAITS &&
	    range->resumed != atomic_load_explicit(&recorder_resumed, memory_order_relaxed) &&
	    recorder_range(&ranges->waiting[index]))
		range->state = OPEN_IS_SENT;
	if (range->state == OPEN_IS_SENT)
		send_end(range->id);
	if (index + 1 < ranges->depth)
		close_gap(ranges, index);
	ranges->depth--;
}

uint64_t open_ranges_start(union range_record *begin)
{
	const uint64_t id = STARTED_BIT | (atomic_fetch_add(&started_count, 1) + 1);

	if (__builtin_expect(step_windows_are_on, 0))
		step_windows_range(begin, STARTED_BIT);
	open_ranges_send_waiting();
	begin->fields.kind = RECORD_RANGE_START;
	begin->fields.id = id;
	begin->fields.time_ns = clock_now_ns();
	return recorder_range(begin) ? id : id | UNRECORDED_BIT;
}

void open_ranges_end(uint64_t id)
{
	if (id & STARTED_BIT && !(id & UNRECORDED_BIT))
		send_end(id);
}

void open_ranges_after_fork(void)
{
	if (!mine)
		return;
	mine->depth = mine->too_deep = 0;
	mine->has_waiting = false;
}
