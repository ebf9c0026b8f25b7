#include "host/host.h"

#include "base/clock.h"
#include "base/fork_guard.h"
#include "base/futex.h"
#include "base/options.h"
#include "base/own_memory.h"
#include "base/short_sleep.h"
#include "host/asked.h"
#include "host/descriptor_table.h"
#include "host/found_stack.h"
#include "host/period.h"
#include "host/row_queue.h"
#include "host/watched.h"
#include "recorder/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RENEW_NS     20000000  /* between two lists of the watched threads */
#define RENEW_SHARE  64	       /* or longer: making the list takes a 64th of a processor at most */
#define CALM_SHARE   1024      /* likewise, in watch mode while nothing is recorded */
#define JUDGE_NS     250000000 /* between two judgements of what looking costs */
#define JUDGE_CPU_NS 50000000  /* looking that ends JUDGE_NS early: ten times the allowed share */
#define PAUSED_NS    20000000  /* between windows, and until the end of one is noticed */
#define COUNTS_LOOKS 8	       /* looks for each reading of task_counts() */
#define LONG_NS	     500000000 /* a row of at least this, and of an eighth of the run, is cut: */
#define LONG_SHARE   8	       /* after SIGKILL the rest is missing, not all of it */
#define NEAR_MOST_NS INT64_C(30000000000) /* how long looks are near: then it is no step any more */
#define HURRY_NS     2000000  /* between two looks at how long the step has lasted, at least */
#define STOPPED_NS   20000000 /* a look that is so late, and had a processor, was stopped */
#define STACK_BYTES  ((size_t)1 << 20)
#define END_NS	     100000000
#define END_PAUSE_NS 50000

static struct {
	_Atomic uint32_t is_stopping;	   /* futex */
	pthread_t thread;		   /* if has_thread */
	_Atomic bool has_thread, is_blind; /* is_blind: not own_memory_is_readable() */
	_Atomic bool is_full, was_untold;  /* at some time: watched.is_full, not task_is_told() */
	_Atomic bool is_calm;		   /* watching, while nothing is recorded */
	_Atomic int64_t hurry_after_ns;	   /* host_hurry_after() */
	_Atomic int64_t period_ns, cpu_ns; /* cpu_ns: that the looker has used */
	uint32_t writer_id;
	const char *_Atomic why; /* there are no looks; NULL: there are, or none was wanted yet */
} host;

/* The looker's. */
static struct watched_list watched;
static int64_t begun_ns; /* CLOCK_REALTIME */

static bool is_same(const struct watched_row *row, const struct task_look *look,
		    const struct atom *site)
{
	return row->looks && row->site == site && row->look.state == look->state &&
	       row->look.object == look->object && !strcmp(row->look.name, look->name);
}

/* What the kernel has counted since it was last asked belongs to the row in the making. */
static void add_counts(struct watched *thread, int64_t now_ns)
{
	const struct task_counts before = thread->counts;

	thread->counts = task_counts(thread->id, &thread->files);
	thread->counted_ns = now_ns;
	if (before.ready_ns >= 0 && thread->counts.ready_ns >= before.ready_ns)
		thread->row.ready_ns += thread->counts.ready_ns - before.ready_ns;
	if (before.faults >= 0 && thread->counts.faults >= before.faults)
		thread->row.faults += thread->counts.faults - before.faults;
	if (before.system_ns >= 0 && thread->counts.system_ns >= before.system_ns)
		thread->row.system_ns += thread->counts.system_ns - before.system_ns;
}

/* The kernel counts a wait for a processor when it has ended, and then the thread is elsewhere: at the end
 * of a row it is asked for what belongs to that. */
static bool are_counts_due(const struct watched *thread, bool is_row_over)
{
	return thread->looks % COUNTS_LOOKS == 0 ||
	       (is_row_over && thread->row.looks && thread->row.look.state == HOST_STATE_RUNNING);
}

/* A thread that has not run since it was found waiting waits still, at the same place. */
static bool waits_still(struct watched *thread)
{
	const int64_t before_ns = thread->cpu_ns;

	thread->cpu_ns = task_cpu_ns(thread->id);
	return thread->row.looks && thread->row.look.state != HOST_STATE_RUNNING &&
	       thread->row.look.state != HOST_STATE_GARBAGE && thread->cpu_ns &&
	       thread->cpu_ns == before_ns;
}

/* A kill must not take all of a long row, and an idle thread must not make many: one of an eighth of
 * the time so far is cut in two. */
static void cut_long_row(struct watched *thread, int64_t now_ns)
{
	const struct watched_row rest = {
		.look = thread->row.look, .site = thread->row.site, .start_ns = now_ns};
	const int64_t lasted_ns = now_ns - thread->row.start_ns;

	if (lasted_ns < LONG_NS || lasted_ns < (now_ns - begun_ns) / LONG_SHARE)
		return;
	row_queue_push(thread, now_ns);
	thread->row = rest;
}

/* The thread's row is over. What the kernel has counted belongs to the longer part of the time since it was asked. */
static void begin_row(struct watched *thread, const struct watched_row *next, int64_t now_ns)
{
	const int64_t since_ns = thread->row.start_ns > thread->counted_ns ? thread->row.start_ns
									   : thread->counted_ns;
	const bool is_next_longer = now_ns - next->start_ns > next->start_ns - since_ns;
	const bool are_due = are_counts_due(thread, true);

	if (are_due && !is_next_longer)
		add_counts(thread, now_ns);
	row_queue_push(thread, next->start_ns);
	thread->row = *next;
	if (are_due && is_next_longer)
		add_counts(thread, now_ns);
}

static void look_at(struct watched *thread, bool is_collecting)
{
	const int64_t now_ns = clock_now_ns();
	struct task_look look;
	struct atom *site;

	if (thread->row.looks)
		cut_long_row(thread, now_ns);
	if (waits_still(thread)) {
		thread->row.looks++;
		return;
	}
	if (!task_look(thread->id, &thread->files, &look)) {
		row_queue_push(thread, now_ns);
		return;
	}
	found_stack_take_sample(thread);
	site = found_stack(thread, &look, now_ns);
	if (is_collecting && thread->python.state && site && look.state == HOST_STATE_RUNNING)
		look.state = HOST_STATE_GARBAGE;
	if (!is_same(&thread->row, &look, site))
		begin_row(thread,
			  &(struct watched_row){
				  .look = look,
				  .site = site,
				  .start_ns = found_stack_since_ns(thread, &look, site, now_ns)},
			  now_ns);
	else if (are_counts_due(thread, false))
		add_counts(thread, now_ns);
	thread->row.looks++;
	thread->looks++;
}

static void look_at_all(void)
{
	const bool is_collecting = python_threads_are_collecting();

	for (int i = 0; i < watched.count; i++)
		look_at(&watched.threads[i], is_collecting);
}

static void forget_thread(struct watched *thread, int64_t now_ns)
{
	row_queue_push(thread, now_ns);
	task_files_close(&thread->files);
	thread_samples_end(&thread->native.samples);
}

/* The rows so far; each goes on as another one. */
static void cut_all(void)
{
	const int64_t now_ns = clock_now_ns();

	for (int i = 0; i < watched.count; i++) {
		struct watched *thread = &watched.threads[i];
		const struct watched_row rest = {
			.look = thread->row.look, .site = thread->row.site, .start_ns = now_ns};

		if (!thread->row.looks)
			continue;
		add_counts(thread, now_ns);
		row_queue_push(thread, now_ns);
		thread->row = rest;
	}
}

static void end_all(void)
{
	const int64_t now_ns = clock_now_ns();

	for (int i = 0; i < watched.count; i++)
		row_queue_push(&watched.threads[i], now_ns);
}

static void wait_until(int64_t monotonic_ns)
{
	int64_t left_ns;

	fork_guard_leave_heap();
	while (!atomic_load(&host.is_stopping) &&
	       (left_ns = monotonic_ns - clock_ns(CLOCK_MONOTONIC)) > 0)
		futex_wait(&host.is_stopping, 0, left_ns);
	fork_guard_enter_heap();
}

/* When things are due, of CLOCK_MONOTONIC. */
struct due {
	int64_t look_ns, renew_ns, judge_ns;
	int64_t judged_ns, judged_cpu_ns; /* when the cost was last judged */
	bool is_calm;
	int64_t calm_period_ns; /* while it is not calm: the period from before, at first the shortest */
	struct task_files own_files;
	int64_t own_ready_ns; /* how long the looker has waited for processors so far */
};

/* How long the running step may go on before it is long, which it is already at 0 or less; INT64_MAX: none runs. */
static int64_t until_step_is_long_ns(void)
{
	const int64_t began_ns = atomic_load(&recorder_step_began_ns);
	const int64_t after_ns = atomic_load(&host.hurry_after_ns);

	return began_ns && after_ns ? began_ns + after_ns - clock_now_ns() : INT64_MAX;
}

/* What looking costs is judged from now on. */
static void begin_judging(struct due *due, int64_t now_ns)
{
	due->judged_ns = now_ns;
	due->judged_cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	due->judge_ns = now_ns + JUDGE_NS;
}

/* In calm times looks are far apart; then the period is remembered for the next ones. */
static void follow_calm(struct due *due, bool is_calm, int64_t now_ns)
{
	if (is_calm == due->is_calm)
		return;
	/* What near looks took is not held against far ones. */
	due->is_calm = is_calm;
	begin_judging(due, now_ns);
	if (!is_calm) {
		due->calm_period_ns = atomic_load(&host.period_ns);
		atomic_store(&host.period_ns, PERIOD_FIRST_NS);
		due->look_ns = now_ns;
	} else {
		atomic_store(&host.period_ns, due->calm_period_ns);
	}
}

/* Nobody looked for so long, up to now: each thread has a row of it. */
static void add_stop(int64_t stopped_ns)
{
	const int64_t now_ns = clock_now_ns();

	for (int i = 0; i < watched.count; i++) {
		struct watched *thread = &watched.threads[i];

		if (!thread->row.looks)
			continue;
		row_queue_push(thread, now_ns - stopped_ns);
		thread->row = (struct watched_row){
			.look = {.state = HOST_STATE_STOPPED, .object = STORE_NULL},
			.start_ns = now_ns - stopped_ns,
			.looks = 1};
		row_queue_push(thread, now_ns);
	}
}

/* late_ns: for how long the looker has slept too long. */
static void find_stop(struct due *due, int64_t late_ns)
{
	int64_t ready_ns;

	if (late_ns < STOPPED_NS)
		return;
	ready_ns = task_counts(watched.own[1], &due->own_files).ready_ns;
	late_ns -= ready_ns - due->own_ready_ns;
	due->own_ready_ns = ready_ns;
	if (ready_ns >= 0 && late_ns >= STOPPED_NS)
		add_stop(late_ns);
}

/* The program may have changed its root, or its user; or its limit of open files is too low for those
 * that are kept open. */
static bool is_told(void)
{
	if (task_is_told(watched.own[1]))
		return true;
	if (errno != EMFILE)
		return false;
	for (int i = 0; i < watched.count; i++)
		task_files_close(&watched.threads[i].files);
	return task_is_told(watched.own[1]);
}

static void renew_when_due(struct due *due, int64_t now_ns)
{
	const int share = due->is_calm ? CALM_SHARE : RENEW_SHARE;
	int64_t took_ns;

	if (now_ns < due->renew_ns)
		return;
	took_ns = -clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (!is_told())
		atomic_store(&host.was_untold, true);
	watched_renew(&watched, clock_now_ns(), forget_thread);
	if (watched.is_full)
		atomic_store(&host.is_full, true);
	took_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID);
	due->renew_ns = now_ns + (took_ns * share > RENEW_NS ? took_ns * share : RENEW_NS);
}

static void judge_when_due(struct due *due, int64_t now_ns)
{
	const int64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (now_ns < due->judge_ns && cpu_ns - due->judged_cpu_ns < JUDGE_CPU_NS)
		return;
	atomic_store(&host.cpu_ns, cpu_ns);
	atomic_store(&host.period_ns,
		     period_judged_ns(due->is_calm ? &period_of_watch : &period_of_trace,
				      atomic_load(&host.period_ns),
				      options_is_watch() ? 0 : row_queue_pushed(),
				      cpu_ns - due->judged_cpu_ns, now_ns - due->judged_ns));
	due->judged_ns = now_ns;
	due->judged_cpu_ns = cpu_ns;
	due->judge_ns = now_ns + JUDGE_NS;
	if (options_is_watch())
		due->own_ready_ns = task_counts(watched.own[1], &due->own_files).ready_ns;
}

static void look_when_due(struct due *due, int64_t now_ns)
{
	if (now_ns < due->look_ns)
		return;
	renew_when_due(due, now_ns);
	look_at_all();
	judge_when_due(due, now_ns);
	due->look_ns += atomic_load(&host.period_ns);
	if (due->look_ns < now_ns) /* late, or the first */
		due->look_ns = now_ns + atomic_load(&host.period_ns);
}

static void look_until_stopped(void)
{
	struct due due = {.judged_ns = clock_ns(CLOCK_MONOTONIC),
			  .calm_period_ns = period_of_watch.shortest_ns};

	due.own_ready_ns = task_counts(watched.own[1], &due.own_files).ready_ns;
	begun_ns = clock_now_ns();
	due.judge_ns = due.judged_ns + JUDGE_NS;
	while (!atomic_load(&host.is_stopping)) {
		const int64_t now_ns = clock_ns(CLOCK_MONOTONIC);
		int64_t until_ns = now_ns + PAUSED_NS;

		if (atomic_load_explicit(&recorder_state, memory_order_relaxed) == RECORDER_ON) {
			const int64_t long_ns = until_step_is_long_ns();

			follow_calm(&due,
				    atomic_load(&host.is_calm) &&
					    (long_ns > 0 || long_ns < -NEAR_MOST_NS),
				    now_ns);
			look_when_due(&due, now_ns);
			if (asked_is_open()) {
				cut_all();
				asked_answer(&watched);
			}
			if (due.look_ns < until_ns)
				until_ns = due.look_ns;
			if (due.is_calm && long_ns > 0 && long_ns < until_ns - now_ns)
				until_ns = now_ns + (long_ns > HURRY_NS ? long_ns : HURRY_NS);
		} else {
			end_all();
			begin_judging(&due, now_ns);
		}
		wait_until(until_ns);
		if (options_is_watch() && !atomic_load(&host.is_stopping))
			find_stop(&due, clock_ns(CLOCK_MONOTONIC) - until_ns);
	}
	end_all();
	task_files_close(&due.own_files);
}

/* NULL: it can look. */
static const char *prepare_looker(void)
{
	watched.own[0] = host.writer_id;
	watched.own[1] = (uint32_t)syscall(SYS_gettid);
	if (!task_is_told(watched.own[1]))
		return "off: /proc/self/task is not readable";
	if (!descriptor_table_separate())
		return "off: close_range() and unshare() are forbidden";
	atomic_store(&host.is_blind, !own_memory_is_readable());
	return NULL;
}

static void *looker_main(void *unused)
{
	fork_guard_begin_thread();
	pthread_setname_np(pthread_self(), "streamtrace");
	atomic_store(&host.why, prepare_looker());
	/* The thread lives until host_end() also where it cannot look: host_threads() counts it. */
	if (atomic_load(&host.why))
		wait_until(INT64_MAX);
	else
		look_until_stopped();
	for (int i = 0; i < watched.count; i++)
		thread_samples_end(&watched.threads[i].native.samples);
	atomic_store(&host.cpu_ns, clock_ns(CLOCK_THREAD_CPUTIME_ID));
	fork_guard_leave_heap();
	return NULL;
}

void host_begin(void)
{
	pthread_attr_t attributes;
	int failed;

	if (!options.host) {
		host.why = "off: STREAMTRACE_HOST=0";
		return;
	}
	host.writer_id = (uint32_t)syscall(SYS_gettid);
	host.why = "off: the thread that looks got no processor";
	atomic_store(&host.period_ns, PERIOD_FIRST_NS);
	atomic_store(&host.is_calm, options_is_watch());
	atomic_store(&host.has_thread, true);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	fork_guard_enter_heap_of_thread();
	failed = pthread_create(&host.thread, &attributes, looker_main, NULL);
	pthread_attr_destroy(&attributes);
	if (!failed)
		return;
	fork_guard_no_thread();
	atomic_store(&host.has_thread, false);
	host.why = "off: no thread could be made";
}

void host_store(struct store *store)
{
	row_queue_store(store);
}

void host_take(void (*take)(struct store *store, const struct host_row *row), struct store *store)
{
	row_queue_take(take, store);
}

void host_hurry(bool is_hurried)
{
	atomic_store(&host.is_calm, !is_hurried);
}

void host_hurry_after(int64_t step_ns)
{
	atomic_store(&host.hurry_after_ns, step_ns);
}

void host_ask(uint32_t thread_id, struct caller caller)
{
	asked_begin(thread_id, caller);
}

bool host_answers(struct atom **site)
{
	return asked_take(site);
}

int64_t host_cpu_ns(void)
{
	return atomic_load(&host.cpu_ns);
}

/* Text that says what could not be seen, behind "on". */
struct reasons {
	char text[256];
	size_t used;
};

static void add_reason(struct reasons *reasons, const char *reason, const char *detail)
{
	reasons->used += (size_t)snprintf(reasons->text + reasons->used,
					  sizeof(reasons->text) - reasons->used, "%s%s%s",
					  reasons->used ? "; " : ": ", reason, detail);
}

static void find_reasons(struct reasons *reasons)
{
	const char *refusal = thread_samples_refusal();

	if (atomic_load(&host.was_untold))
		add_reason(reasons, "/proc/self/task was not readable for a part of the run", "");
	if (atomic_load(&host.is_blind))
		add_reason(reasons, "no stacks but those of calls: /proc/self/mem is not readable",
			   "");
	else if (refusal)
		add_reason(reasons, "no native stacks of running threads: ", refusal);
	if (atomic_load(&host.is_full))
		add_reason(reasons, "of over 64 threads 64 at a time were looked at", "");
}

void host_describe(struct store *store)
{
	const char *why = atomic_load(&host.why);
	struct reasons reasons = {.used = 0};
	char status[sizeof(reasons.text) + 8];

	find_reasons(&reasons);
	snprintf(status, sizeof(status), "on%s", reasons.text);
	store_metadata(store, "host_states", why ? why : status);
	if (why)
		return;
	store_metadata_int(store, "host_look_ns", atomic_load(&host.period_ns));
	store_metadata_int(store, "host_cpu_ns", atomic_load(&host.cpu_ns));
}

static bool has_ended(void)
{
	/* glibc's other joins abort the process where futexes are forbidden. */
	return !pthread_tryjoin_np(host.thread, NULL);
}

static void stop_looker(bool is_alone)
{
	const int64_t until_ns = clock_ns(CLOCK_MONOTONIC) + END_NS;

	atomic_store(&host.is_stopping, 1);
	futex_wake(&host.is_stopping);
	while (!has_ended()) {
		if (!is_alone && clock_ns(CLOCK_MONOTONIC) > until_ns) {
			pthread_detach(host.thread);
			return;
		}
		short_sleep(END_PAUSE_NS);
	}
	atomic_store(&host.has_thread, false);
}

void host_end(struct store *store, bool is_alone)
{
	if (atomic_load(&host.has_thread))
		stop_looker(is_alone);
	if (store)
		row_queue_store(store);
}

int host_threads(void)
{
	return atomic_load(&host.has_thread);
}

void host_after_fork(void)
{
	thread_samples_after_fork();
	memset(&host, 0, sizeof(host));
	memset(&watched, 0, sizeof(watched));
	watched_after_fork();
	row_queue_after_fork();
	asked_after_fork();
	python_threads_after_fork();
	unwind_after_fork();
	own_memory_after_fork();
}
