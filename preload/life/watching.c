#include "life/watching.h"

#include "base/clock.h"
#include "base/fork_guard.h"
#include "base/options.h"
#include "cupti/late_devices.h"
#include "cupti/source.h"
#include "host/host.h"
#include "life/clock_steps.h"
#include "life/describe.h"
#include "life/drain.h"
#include "life/so_far.h"
#include "recorder/ring.h"
#include "store/store.h"
#include "store/window_rows.h"
#include "watch/bounds.h"
#include "watch/incident.h"
#include "watch/kept.h"
#include "watch/page_file.h"
#include "watch/steps.h"
#include "watch/watch.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define STEPS_NS    INT64_C(30000000000) /* the longest that CUPTI is on for steps */
#define NO_STEPS_NS INT64_C(2000000000)	 /* without steps */
#define GRACE_NS    300000000		 /* for operations that were enqueued */

/* What is in the metadata's end, where the program goes on. */
#define END_OF_INCIDENT "incident"

static struct {
	struct watching_hooks hooks;
	int64_t began_ns; /* CLOCK_REALTIME */
	int64_t flush_ns; /* of CLOCK_MONOTONIC: the next one */

	struct store *store; /* of the incident that is being written; NULL: there is none */
	struct incident incident;
	char path[PATH_MAX];
	unsigned number;    /* of the next incident, or more */
	int64_t begun_ns;   /* of CLOCK_MONOTONIC */
	int64_t close_ns;   /* likewise, when the grace is over; 0: it has not begun */
	int64_t file_bytes; /* that were counted */
	bool is_site_asked;
} watching;

static bool is_late(void)
{
	return watching.hooks.is_late();
}

static void commit_ring(void)
{
	if (watching.store)
		store_commit(watching.store);
}

static void no_commit(void)
{
}

static bool keep_block(const struct packed *packed, uint32_t thread_id)
{
	watch_count(packed);
	if (watching.store)
		return false;
	kept_add_block(packed, thread_id);
	return true;
}

static void keep_row(struct store *store, const struct host_row *row)
{
	kept_add_row(row);
}

static struct drain_rules rules_of(bool takes_all)
{
	return (struct drain_rules){.is_late = is_late,
				    .after_ring = no_commit,
				    .see = watch_see,
				    .take = keep_block,
				    .takes_all = takes_all};
}

static bool drain_kept(bool takes_all)
{
	const struct drain_rules rules = rules_of(takes_all);

	host_take(watching.store ? row_queue_store_row : keep_row, watching.store);
	return drain_all(watching.store, &rules);
}

static void drain_between(void)
{
	drain_kept(false);
	commit_ring();
}

static struct cupti_flush flush_of(bool is_last)
{
	return (struct cupti_flush){.is_last = is_last,
				    .has_records = watching.hooks.has_device_records,
				    .is_late = is_late,
				    .after_buffer = drain_between};
}

static void flush_store(bool is_last)
{
	const struct cupti_flush flush = flush_of(is_last);

	cupti_source_flush(watching.store, &flush);
	/* A call is in its ring before its operation can be complete. */
	drain_kept(true);
	clock_steps_check(watching.store, true);
	so_far_store(watching.store);
	incident_store_steps(watching.store, &watching.incident, is_last);
	store_commit(watching.store);
}

/* Bytes of the file and its log since the last call. */
static int64_t count_bytes(void)
{
	char log[PATH_MAX + 8];
	int64_t bytes = 0, added;
	struct stat status;

	snprintf(log, sizeof(log), "%s-wal", watching.path);
	if (!stat(watching.path, &status))
		bytes += status.st_size;
	if (!stat(log, &status))
		bytes += status.st_size;
	added = bytes > watching.file_bytes ? bytes - watching.file_bytes : 0;
	watching.file_bytes += added;
	return added;
}

static bool may_grow(int64_t now_ns)
{
	const int64_t bytes = count_bytes();

	watch_tell_bytes(bytes);
	return bounds_add_bytes(now_ns, bytes);
}

/* Why the incident is left out; NULL: it is not. */
static const char *find_bound(int64_t now_ns)
{
	char folder[PATH_MAX];

	page_file_folder(folder);
	switch (bounds_now(now_ns, folder)) {
	case BOUND_HOUR:
		watch_tell_state(WATCH_BOUND);
		return "as many incidents as STREAMTRACE_WATCH_HOUR allows in an hour";
	case BOUND_DAY:
		watch_tell_state(WATCH_BOUND);
		return "as many bytes as STREAMTRACE_WATCH_DAY allows in a day";
	case BOUND_DISK:
		watch_tell_state(WATCH_NO_DISK);
		return "the disk is nearly full";
	default:
		return NULL;
	}
}

static bool open_file(char *error, size_t size)
{
	if (!page_file_incident_path(watching.path, &watching.number)) {
		snprintf(error, size, "the output path is too long");
		return false;
	}
	fork_guard_enter();
	watching.store = store_open(watching.path, sizeof(watching.path), 0, error, size);
	fork_guard_leave();
	return watching.store != NULL;
}

static void describe_file(int64_t since_ns)
{
	describe_run(watching.store);
	store_metadata_int(watching.store, "start_ns", since_ns);
	window_rows_take_one(watching.store, since_ns);
}

static void attach_cupti(void)
{
	if (cupti_source_attach())
		watching.incident.device_start_ns = clock_now_ns();
}

static void write_kept(int64_t since_ns)
{
	describe_file(since_ns);
	incident_store(watching.store, &watching.incident);
	store_commit(watching.store);
	kept_take_all(drain_store_block, row_queue_store_row, watching.store);
	incident_store_steps(watching.store, &watching.incident, false);
	so_far_store(watching.store);
	store_commit(watching.store);
}

/* CUPTI first: each ms that it is on later is one of a step. But a call that hangs may hold the driver's lock, and CUPTI
 * would wait for that: only where a step has ended nothing hangs. */
static void begin_incident(const struct watch_cause *cause, int64_t now_ns)
{
	const int64_t since_ns = kept_since_ns() ? kept_since_ns() : watching.began_ns;
	const bool is_hang = cause->call.function >= 0;
	const bool is_step = !strcmp(cause->word, "slow-step");

	bounds_count(now_ns);
	watch_tell_state(WATCH_RECORDING);
	watch_tell_incident(watching.path, cause);
	host_hurry(true);
	host_ask(is_hang ? cause->call.thread_id : 0, cause->call.caller);
	watching.is_site_asked = true;
	watching.begun_ns = now_ns;
	watching.close_ns = watching.file_bytes = 0;
	incident_begin(&watching.incident, cause, since_ns);
	if (is_step)
		attach_cupti();
	write_kept(since_ns);
	watch_tell();
	if (!is_step)
		attach_cupti();
	if (cupti_source_is_on())
		late_devices_store(watching.store);
	incident_store(watching.store, &watching.incident);
	store_commit(watching.store);
}

static void follow_cause(const struct watch_cause *cause)
{
	const int64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	const char *why = watching.store ? NULL : find_bound(now_ns);
	char error[PATH_MAX + 128];

	if (watching.store) {
		incident_add_cause(watching.store, &watching.incident, cause);
	} else if (why) {
		watch_tell_left_out(why);
	} else if (!open_file(error, sizeof(error))) {
		watch_tell_left_out(error);
		options_say("%s: an incident is left out", error);
	} else {
		options_say("%s: writing %s", cause->word, watching.path);
		begin_incident(cause, now_ns);
	}
}

static void take_answer(void)
{
	struct atom *site;

	if (!host_answers(&site) || !watching.is_site_asked)
		return;
	watching.is_site_asked = false;
	watching.incident.site = site;
	incident_store(watching.store, &watching.incident);
}

static bool is_recorded(int64_t now_ns)
{
	const bool has_steps = steps_running() && watching.incident.first.call.function < 0;

	return now_ns - watching.begun_ns > (has_steps ? STEPS_NS : NO_STEPS_NS) ||
	       (has_steps && watching.incident.steps_after >= (unsigned)options.watch_steps);
}

static void begin_grace(int64_t now_ns)
{
	watching.close_ns = now_ns + (cupti_source_is_on() ? GRACE_NS : 0);
	if (watching.incident.device_start_ns != STORE_NULL)
		watching.incident.device_end_ns = clock_now_ns();
	incident_store(watching.store, &watching.incident);
	host_hurry(false);
	if (!watching.is_site_asked)
		host_ask(0, (struct caller){0});
}

static void close_file(const char *end)
{
	incident_store(watching.store, &watching.incident);
	store_metadata_int(watching.store, "end_ns", clock_now_ns());
	store_unpack(watching.store, TRACE_UNPACK_ROWS, is_late);
	store_close(watching.store, end);
	watching.store = NULL;
	watching.number++;
	may_grow(clock_ns(CLOCK_MONOTONIC));
	kept_begin_again(clock_now_ns());
	host_hurry(false);
	watch_tell_state(WATCH_WATCHING);
	watch_tell();
}

static void end_incident(const char *end)
{
	const struct cupti_flush flush = flush_of(true);

	drain_kept(true);
	cupti_source_detach(watching.store, &flush);
	flush_store(true);
	close_file(end);
}

static void write_incident(int64_t now_ns)
{
	take_answer();
	if (!watching.close_ns && (is_recorded(now_ns) || !may_grow(now_ns)))
		begin_grace(now_ns);
	if (watching.close_ns && now_ns >= watching.close_ns)
		end_incident(END_OF_INCIDENT);
}

static void flush_when_due(int64_t now_ns)
{
	int64_t seen_ns;

	if (now_ns < watching.flush_ns)
		return;
	watching.flush_ns = now_ns + TRACE_FLUSH_NS;
	seen_ns = clock_now_ns();
	if (watching.store)
		flush_store(false);
	else
		drain_kept(true);
	/* The steps are known up to now. */
	watch_look(seen_ns);
}

bool watching_turn(void)
{
	const int64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	struct watch_cause cause;
	bool is_empty;

	/* First: a step during which the clock was set is not judged. */
	if (clock_steps_check(watching.store, false))
		watch_clock_was_set();
	is_empty = drain_kept(false);
	flush_when_due(now_ns);
	while (watch_take_cause(&cause))
		follow_cause(&cause);
	if (watching.store)
		write_incident(now_ns);
	return is_empty;
}

void watching_break(const char *end)
{
	if (watching.store)
		end_incident(end);
	page_file_remove();
}

bool watching_begin(const char *output, const struct watching_hooks *hooks, char *error,
		    size_t size)
{
	watching.hooks = *hooks;
	watching.began_ns = clock_now_ns();
	watching.number = 1;
	if (!watch_begin(output, error, size))
		return false;
	rings_never_wait();
	host_begin();
	return true;
}

void watching_end(const char *end, bool is_alone)
{
	const struct drain_rules rules = rules_of(true);

	host_end(watching.store, is_alone);
	if (watching.store) {
		drain_to_the_end(watching.store, &rules);
		drain_thread_times(watching.store);
		flush_store(true);
		close_file(end);
	}
	page_file_remove();
}

void watching_after_fork(void)
{
	memset(&watching, 0, sizeof(watching));
	watch_after_fork();
	bounds_after_fork();
}
