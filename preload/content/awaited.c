#include "content/awaited.h"

#include "base/short_sleep.h"

/* Further copies are not hashed. */
#define AWAITED_MOST 8

struct awaited {
	struct content_copy copy;
	uint64_t stream;
	uint32_t resumed;   /* recorder_resumed when it was enqueued: if unchanged, no call went
			     * unrecorded */
	uint32_t forgotten; /* `forgotten` when it was enqueued: if unchanged, its memory still
			     * exists */
	bool is_per_thread;
};

__thread uint32_t content_awaited_count __attribute__((tls_model("initial-exec")));
static __thread struct awaited awaited[AWAITED_MOST] __attribute__((tls_model("initial-exec")));

/* Reading takes milliseconds at most. A thread that reads for a second has left the read, by a
 * signal handler's jump: then nothing is hashed any more. */
#define PAUSE_NS    100000
#define PAUSES_MOST 10000

/* how often pinned memory was freed */
static _Atomic uint32_t forgotten;
/* number of threads that are reading */
static _Atomic uint32_t looking;
static _Atomic bool has_given_up;

void content_forget_awaited(void)
{
	atomic_fetch_add(&forgotten, 1);
	for (int i = 0; atomic_load(&looking) && !atomic_load(&has_given_up); i++) {
		if (i == PAUSES_MOST)
			atomic_store(&has_given_up, true);
		short_sleep(PAUSE_NS);
	}
}

static bool is_per_thread(const struct record *record)
{
	return (record->has & RECORD_IS_PER_THREAD) != 0;
}

void content_await(const struct content_copy *copy, const struct record *record)
{
	content_begin_fetch(copy);
	if (content_awaited_count < AWAITED_MOST)
		awaited[content_awaited_count++] =
			(struct awaited){.copy = *copy,
					 .stream = record->stream,
					 .forgotten = atomic_load(&forgotten),
					 .resumed = atomic_load(&recorder_resumed),
					 .is_per_thread = is_per_thread(record)};
}

/* Whether the record's call has waited for the copy, and nothing else can have changed its
 * bytes. */
static bool is_as_brought(const struct awaited *of, const struct record *record, bool is_device)
{
	return !atomic_load(&has_given_up) && of->resumed == atomic_load(&recorder_resumed) &&
	       of->forgotten == atomic_load(&forgotten) &&
	       (is_device ||
		(of->stream == record->stream && of->is_per_thread == is_per_thread(record)));
}

static void look_at(uint32_t count, const struct record *record, bool is_device)
{
	int64_t start_ns = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct awaited *of = &awaited[i];

		if (!is_as_brought(of, record, is_device))
			continue;
		of->copy.now_ns = record->end_ns;
		recorder_thread.overhead_start_ns = 0;
		content_fetched(&of->copy);
		/* One overhead from the first copy to the last. */
		if (start_ns && recorder_thread.overhead_start_ns)
			recorder_thread.overhead_start_ns = start_ns;
		else if (recorder_thread.overhead_start_ns)
			start_ns = recorder_thread.overhead_start_ns;
	}
}

void content_look_at_awaited(const struct record *record, bool is_device)
{
	const uint32_t count = content_awaited_count;

	/* At another depth it is a call of the runtime into itself. */
	if (recorder_thread.at.depth != 2)
		return;
	content_awaited_count = 0;
	if (record->result)
		return;
	/* From here on content_forget_awaited() waits for us. */
	atomic_fetch_add(&looking, 1);
	look_at(count, record, is_device);
	atomic_fetch_sub(&looking, 1);
}
