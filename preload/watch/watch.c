#include "watch/watch.h"

#include "base/clock.h"
#include "base/options.h"
#include "host/host.h"
#include "recorder/recorder.h"
#include "recorder/windows.h"
#include "store/store.h"
#include "watch/call_period.h"
#include "watch/kept.h"
#include "watch/page_file.h"
#include "watch/steps.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOOK_NS ((int64_t)WATCH_PAGE_PERIOD_MS * 1000000)

#define CAUSES_MOST 8 /* that wait: more at once are one */

static struct {
	struct watch_page page;
	struct watch_cause causes[CAUSES_MOST];
	int cause_count;
	int64_t look_ns;       /* of CLOCK_MONOTONIC: the next one */
	uint64_t normal_steps; /* since the last cause */
	uint64_t
		calls_seen; /* since the last block: fewer than it has were packed by their thread */
	uint64_t measured_calls,
		measured_ns; /* the calls whose recording was timed, and the sum of these times */
	uint32_t signals;
	bool has_change; /* change was taken from the queue, and is not due yet */
	struct window_change change;
} watch;

static void add_cause(struct watch_cause cause)
{
	const struct watched_step *running = steps_running();

	cause.noticed_ns = clock_now_ns();
	cause.median_ns = steps_median_ns() ? steps_median_ns() : STORE_NULL;
	cause.normal_before = running ? (int64_t)watch.normal_steps : STORE_NULL;
	if (cause.step == STORE_NULL && running)
		cause.step = (int64_t)running->number;
	watch.normal_steps = 0;
	if (watch.cause_count < CAUSES_MOST)
		watch.causes[watch.cause_count++] = cause;
}

bool watch_take_cause(struct watch_cause *cause)
{
	if (!watch.cause_count)
		return false;
	*cause = watch.causes[0];
	memmove(watch.causes, watch.causes + 1,
		(size_t)--watch.cause_count * sizeof(watch.causes[0]));
	return true;
}

static void count_step(const struct watched_step *step)
{
	const int64_t took_ns = step->end_ns - step->start_ns;

	watch.page.steps++;
	watch.page.steps_ns += (uint64_t)took_ns;
	watch.page.step_ns = took_ns;
	if (took_ns > watch.page.longest_ns)
		watch.page.longest_ns = took_ns;
	watch.page.bins[watch_page_bin(took_ns)]++;
	watch.page.slow_steps += step->kind == STEP_SLOW_NEWS || step->kind == STEP_SLOW_AGAIN;
	watch.normal_steps += step->kind == STEP_NORMAL;
}

/* False: there is none up to that time. */
static bool take_change(struct window_change *change, int64_t until_ns)
{
	if (!watch.has_change)
		watch.has_change = windows_next_change(&watch.change);
	if (!watch.has_change || watch.change.time_ns > until_ns)
		return false;
	*change = watch.change;
	watch.has_change = false;
	return true;
}

/* A step in which the program called streamtrace_stop() is not judged. */
static void follow_pauses(int64_t until_ns)
{
	struct window_change change;

	while (take_change(&change, until_ns)) {
		const struct watched_step *running = steps_running();

		if (!change.opens && running && running->start_ns <= change.time_ns)
			steps_break();
	}
}

static void begin_step(const struct watched_step *begun)
{
	const struct watched_step *ended;

	follow_pauses(begun->start_ns);
	ended = steps_begin(begun, options.watch_slow);
	host_hurry_after(steps_suspicious_ns(options.watch_slow));
	if (!ended)
		return;
	count_step(ended);
	if (ended->kind == STEP_SLOW_NEWS)
		add_cause((struct watch_cause){
			.word = "slow-step", .step = (int64_t)ended->number, .call.function = -1});
}

static bool are_steps_told(void)
{
	const struct watched_step *running = steps_running();

	return running && running->by != WATCH_STEPS_PERIOD;
}

void watch_see(const struct record *record, uint32_t thread_id)
{
	struct watched_step begun = {
		.start_ns = record->start_ns, .read_bytes = -1, .thread_id = thread_id};

	if (record->kind == RECORD_STEP) {
		begun.number = record->object;
		begun.by = record->copy_kind;
		if (record->has & RECORD_HAS_SIZE)
			begun.read_bytes = (int64_t)record->size_bytes;
		begun.preempted = record->numbers;
		begin_step(&begun);
	} else if (record->kind == RECORD_CALL) {
		watch.calls_seen++;
		begun.by = WATCH_STEPS_PERIOD;
		if (are_steps_told() || !call_period_see(record, thread_id, &begun.number))
			return;
		atomic_store(&recorder_step_began_ns, begun.start_ns);
		begin_step(&begun);
	}
}

void watch_count(const struct packed *packed)
{
	const struct packed_note *note = NULL;

	/* A block that its thread packed has calls that watch_see() has not seen. One of them may begin a step. */
	if (packed->calls > watch.calls_seen && !are_steps_told())
		steps_break();
	watch.calls_seen = 0;
	watch.page.calls += packed->calls;
	while ((note = packed_next_note(packed, note)))
		if (note->kind == PACKED_TOOL_COST) {
			watch.measured_calls++;
			watch.measured_ns += (note->value >> 32) + (uint32_t)note->value;
		}
}

void watch_clock_was_set(void)
{
	steps_break();
	call_period_forget();
	atomic_store(&recorder_step_began_ns, 0);
}

static void look_for_signals(void)
{
	const uint32_t signals = windows_signals();

	if (signals != watch.signals)
		add_cause((struct watch_cause){
			.word = "signal", .step = STORE_NULL, .call.function = -1});
	watch.signals = signals;
}

static void look_for_trigger(void)
{
	if (!page_file_take_trigger())
		return;
	watch.page.triggers_seen++;
	add_cause((struct watch_cause){.word = "trigger", .step = STORE_NULL, .call.function = -1});
}

static void look_for_stuck_call(void)
{
	struct watch_cause cause = {.word = "hang", .step = STORE_NULL};

	if (options.watch_hang_ms &&
	    stuck_find(&cause.call, (int64_t)options.watch_hang_ms * 1000000))
		add_cause(cause);
}

static uint64_t count_losses(void)
{
	uint64_t losses = 0;

	for (const struct ring *ring = recorder_rings(); ring; ring = ring->next)
		losses += atomic_load_explicit(&ring->dropped, memory_order_relaxed);
	return losses;
}

void watch_tell(void)
{
	const struct watched_step *running = steps_running();
	struct watch_page *page = &watch.page;
	const int64_t since_ns = kept_since_ns() ? kept_since_ns() : page->began_ns;

	page->updated_ns = clock_now_ns();
	page->losses = count_losses();
	page->queue_bytes = kept_bytes();
	page->queue_ns = since_ns < page->updated_ns ? (uint64_t)(page->updated_ns - since_ns) : 0;
	page->tool_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) + host_cpu_ns();
	if (watch.measured_calls)
		page->tool_ns += (int64_t)(watch.measured_ns / watch.measured_calls * page->calls);
	page->steps_by = running ? running->by : WATCH_NO_STEPS;
	page->step_began_ns = running ? running->start_ns : 0;
	page->median_ns = steps_median_ns();
	page_file_write(page);
}

void watch_look(int64_t seen_ns)
{
	const int64_t now_ns = clock_ns(CLOCK_MONOTONIC);

	if (now_ns < watch.look_ns)
		return;
	watch.look_ns = now_ns + LOOK_NS;
	look_for_signals();
	look_for_trigger();
	look_for_stuck_call();
	follow_pauses(seen_ns);
	watch_tell();
}

void watch_tell_state(enum watch_state state)
{
	watch.page.state = state;
}

void watch_tell_incident(const char *path, const struct watch_cause *cause)
{
	const char *slash = strrchr(path, '/');

	watch.page.incidents++;
	watch.page.incident_ns = cause->noticed_ns;
	snprintf(watch.page.incident, sizeof(watch.page.incident), "%.255s",
		 slash ? slash + 1 : path);
	snprintf(watch.page.cause, sizeof(watch.page.cause), "%s", cause->word);
	watch.page.error[0] = '\0';
}

void watch_tell_bytes(int64_t bytes)
{
	watch.page.trace_bytes += (uint64_t)bytes;
}

void watch_tell_error(const char *why)
{
	snprintf(watch.page.error, sizeof(watch.page.error), "%.127s", why);
}

void watch_tell_left_out(const char *why)
{
	watch.page.left_out++;
	watch_tell_error(why);
}

bool watch_begin(const char *output, char *error, size_t size)
{
	struct watch_page *page = &watch.page;

	if (!page_file_create(output, error, size))
		return false;
	if (!kept_begin((size_t)options.watch_memory)) {
		snprintf(error, size, "no memory of %ld bytes to watch with", options.watch_memory);
		page_file_remove();
		return false;
	}
	page->began_ns = clock_now_ns();
	snprintf(page->program, sizeof(page->program), "%.63s", options_program());
	gethostname(page->host, sizeof(page->host) - 1);
	snprintf(page->rank, sizeof(page->rank), "%.15s", options.rank ? options.rank : "");
	watch.signals = windows_signals();
	watch_tell();
	return true;
}

void watch_after_fork(void)
{
	memset(&watch, 0, sizeof(watch));
	atomic_store(&recorder_step_began_ns, 0);
	kept_after_fork();
	steps_after_fork();
	call_period_after_fork();
	page_file_after_fork();
}
