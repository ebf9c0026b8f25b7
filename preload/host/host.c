#include "host/host.h"

#include "base/atoms.h"
#include "base/clock.h"
#include "base/futex.h"
#include "base/options.h"
#include "base/own_memory.h"
#include "base/short_sleep.h"
#include "host/row_queue.h"
#include "host/watched.h"
#include "recorder/recorder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PERIOD_NS      500000 /* between two looks at a thread, at first */
#define PERIOD_MOST_NS 50000000
#define PERIOD_ROWS    65536	 /* rows after which the period is doubled for good */
#define RENEW_NS       20000000	 /* between two lists of the watched threads */
#define RENEW_SHARE    64	 /* and at least so many times what making the list took */
#define JUDGE_NS       250000000 /* between two judgements of what looking costs */
#define COST_PERCENT   2	 /* of a processor, at most */
#define PAUSED_NS      20000000	 /* between windows */
#define COUNTS_LOOKS   8	 /* looks for each reading of task_counts() */
#define SITE_FRAMES    48	 /* of Python, in a stack */
#define STACK_BYTES    ((size_t)1 << 20)
#define END_NS	       100000000
#define END_PAUSE_NS   50000

static struct {
	_Atomic uint32_t is_stopping;			/* futex */
	pthread_t thread;				/* if has_thread */
	_Atomic bool has_thread, is_forbidden, is_full; /* is_full: more callers than watched */
	_Atomic int64_t period_ns, cpu_ns;		/* cpu_ns: that the looker has used */
	uint32_t writer_id;
	const char *why; /* why there is no looker; NULL: there is one, or none was wanted yet */
} host;

/* The looker's. */
static struct watched_list watched;

static struct atom *python_stack_of(const struct watched *thread)
{
	uint64_t words[SITE_FRAMES];
	const int count =
		thread->python.state ? python_threads_take(&thread->python, words, SITE_FRAMES) : 0;

	if (!count)
		return NULL;
	return atom_intern(
		&(struct atom_text){.words = words, .count = (uint16_t)count, .kind = ATOM_STACK},
		ATOM_ADD_SPARE);
}

/* The native stack of a thread that runs: that of a sample since the row began, else unknown, until
 * one comes. */
static struct atom *running_stack_of(struct watched *thread, const struct task_look *look,
				     int64_t now_ns)
{
	const struct watched_row *row = &thread->row;

	native_stack_ask(&thread->native, thread->id, now_ns);
	if (!row->looks || row->look.state != look->state)
		return NULL;
	return thread->native.runs_ns >= row->start_ns ? thread->native.runs : row->site;
}

static struct atom *stack_of(struct watched *thread, const struct task_look *look, int64_t now_ns)
{
	struct atom *site = python_stack_of(thread);

	if (site)
		return site;
	return look->sp ? native_stack_of_wait(&thread->native, look)
			: running_stack_of(thread, look, now_ns);
}

/* A sample comes after the look that found the thread running: that look's row gets its stack. */
static void take_sample(struct watched *thread)
{
	struct watched_row *row = &thread->row;

	if (native_stack_take(&thread->native) && row->looks &&
	    row->look.state == HOST_STATE_RUNNING && !row->site &&
	    thread->native.runs_ns >= row->start_ns)
		row->site = thread->native.runs;
}

static bool is_same(const struct watched_row *row, const struct task_look *look,
		    const struct atom *site)
{
	return row->looks && row->site == site && row->look.state == look->state &&
	       row->look.object == look->object && !strcmp(row->look.name, look->name);
}

/* What the kernel has counted since it was last asked belongs to the row in the making. */
static void add_counts(struct watched *thread)
{
	const struct task_counts before = thread->counts;

	thread->counts = task_counts(thread->id);
	if (before.ready_ns >= 0 && thread->counts.ready_ns >= before.ready_ns)
		thread->row.ready_ns += thread->counts.ready_ns - before.ready_ns;
	if (before.faults >= 0 && thread->counts.faults >= before.faults)
		thread->row.faults += thread->counts.faults - before.faults;
}

/* A thread that has not run since it was found waiting waits still, at the same place. */
static bool waits_still(struct watched *thread)
{
	const int64_t before_ns = thread->cpu_ns;

	thread->cpu_ns = task_cpu_ns(thread->id);
	return thread->row.looks && thread->row.look.state != HOST_STATE_RUNNING &&
	       thread->row.look.state != HOST_STATE_GARBAGE && thread->cpu_ns == before_ns;
}

static void look_at(struct watched *thread, bool is_collecting)
{
	const int64_t now_ns = clock_now_ns();
	struct task_look look;
	struct atom *site;
	bool is_forbidden = false;

	if (waits_still(thread)) {
		thread->row.looks++;
		return;
	}
	if (!task_look(thread->id, &look, &is_forbidden)) {
		atomic_store_explicit(&host.is_forbidden, is_forbidden, memory_order_relaxed);
		row_queue_push(thread, now_ns);
		return;
	}
	take_sample(thread);
	site = stack_of(thread, &look, now_ns);
	if (is_collecting && thread->python.state && site && look.state == HOST_STATE_RUNNING)
		look.state = HOST_STATE_GARBAGE;
	if (!is_same(&thread->row, &look, site)) {
		row_queue_push(thread, now_ns);
		thread->row = (struct watched_row){.look = look, .site = site, .start_ns = now_ns};
	}
	thread->row.looks++;
	if (thread->looks++ % COUNTS_LOOKS == 0)
		add_counts(thread);
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
	thread_samples_end(&thread->native.samples);
}

static void end_all(void)
{
	const int64_t now_ns = clock_now_ns();

	for (int i = 0; i < watched.count; i++)
		row_queue_push(&watched.threads[i], now_ns);
}

/* The shortest period that the rows made so far allow. */
static int64_t least_period_ns(void)
{
	int64_t period_ns = PERIOD_NS;

	for (uint64_t rows = row_queue_pushed() / PERIOD_ROWS; rows && period_ns < PERIOD_MOST_NS;
	     rows /= 2)
		period_ns *= 2;
	return period_ns;
}

/* Twice as far apart where looking cost too much, nearer again where it cost a quarter. */
static void judge_cost(int64_t cpu_ns, int64_t elapsed_ns)
{
	const int64_t least_ns = least_period_ns();
	int64_t period_ns = atomic_load_explicit(&host.period_ns, memory_order_relaxed);

	if (cpu_ns * 100 > elapsed_ns * COST_PERCENT)
		period_ns *= 2;
	else if (cpu_ns * 100 * 4 < elapsed_ns * COST_PERCENT)
		period_ns /= 2;
	if (period_ns < least_ns)
		period_ns = least_ns;
	if (period_ns > PERIOD_MOST_NS)
		period_ns = PERIOD_MOST_NS;
	atomic_store_explicit(&host.period_ns, period_ns, memory_order_relaxed);
}

static void wait_until(int64_t monotonic_ns)
{
	int64_t left_ns;

	while (!atomic_load(&host.is_stopping) &&
	       (left_ns = monotonic_ns - clock_ns(CLOCK_MONOTONIC)) > 0)
		futex_wait(&host.is_stopping, 0, left_ns);
}

/* When things are due, of CLOCK_MONOTONIC. */
struct due {
	int64_t look_ns, renew_ns, judge_ns;
	int64_t judged_ns, judged_cpu_ns; /* when the cost was last judged */
};

static void renew_when_due(struct due *due, int64_t now_ns)
{
	int64_t took_ns;

	if (now_ns < due->renew_ns)
		return;
	own_memory_check();
	watched_renew(&watched, clock_now_ns(), forget_thread);
	if (watched.is_full)
		atomic_store_explicit(&host.is_full, true, memory_order_relaxed);
	took_ns = clock_ns(CLOCK_MONOTONIC) - now_ns;
	due->renew_ns =
		now_ns + (took_ns * RENEW_SHARE > RENEW_NS ? took_ns * RENEW_SHARE : RENEW_NS);
}

static void judge_when_due(struct due *due, int64_t now_ns)
{
	const int64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (now_ns < due->judge_ns)
		return;
	atomic_store_explicit(&host.cpu_ns, cpu_ns, memory_order_relaxed);
	judge_cost(cpu_ns - due->judged_cpu_ns, now_ns - due->judged_ns);
	due->judged_ns = now_ns;
	due->judged_cpu_ns = cpu_ns;
	due->judge_ns = now_ns + JUDGE_NS;
}

static void look_until_stopped(void)
{
	struct due due = {.judged_ns = clock_ns(CLOCK_MONOTONIC)};

	due.judge_ns = due.judged_ns + JUDGE_NS;
	while (!atomic_load(&host.is_stopping)) {
		const int64_t now_ns = clock_ns(CLOCK_MONOTONIC);

		if (atomic_load_explicit(&recorder_state, memory_order_relaxed) != RECORDER_ON) {
			end_all();
			wait_until(now_ns + PAUSED_NS);
			continue;
		}
		renew_when_due(&due, now_ns);
		look_at_all();
		judge_when_due(&due, now_ns);
		due.look_ns += atomic_load_explicit(&host.period_ns, memory_order_relaxed);
		if (due.look_ns < now_ns) /* late, or the first */
			due.look_ns = now_ns + atomic_load(&host.period_ns);
		wait_until(due.look_ns);
	}
	end_all();
}

static void *looker_main(void *unused)
{
	pthread_setname_np(pthread_self(), "streamtrace");
	watched.own[0] = host.writer_id;
	watched.own[1] = (uint32_t)syscall(SYS_gettid);
	look_until_stopped();
	for (int i = 0; i < watched.count; i++)
		thread_samples_end(&watched.threads[i].native.samples);
	atomic_store(&host.cpu_ns, clock_ns(CLOCK_THREAD_CPUTIME_ID));
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
	atomic_store(&host.period_ns, PERIOD_NS);
	atomic_store(&host.has_thread, true);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	failed = pthread_create(&host.thread, &attributes, looker_main, NULL);
	pthread_attr_destroy(&attributes);
	if (!failed)
		return;
	atomic_store(&host.has_thread, false);
	host.why = "off: no thread could be made";
}

void host_store(struct store *store)
{
	row_queue_store(store);
}

/* What could not be seen, behind "on". */
static const char *status_text(void)
{
	static char text[256];
	const char *refusal = thread_samples_refusal();
	const bool is_full = atomic_load_explicit(&host.is_full, memory_order_relaxed);

	if (host.why)
		return host.why;
	if (atomic_load(&host.is_forbidden))
		return "off: /proc/self/task is not readable";
	snprintf(text, sizeof(text), "on%s%s%s%s",
		 refusal ? ": no native stacks of running threads: " : "", refusal ? refusal : "",
		 is_full ? refusal ? "; " : ": " : "",
		 is_full ? "of over 64 threads that made calls 64 were looked at" : "");
	return text;
}

/* exit() may be about to run in the last thread, which must not be the looker. */
static void stop_looker(void)
{
	const int64_t until_ns = clock_ns(CLOCK_MONOTONIC) + END_NS;

	if (!atomic_load(&host.has_thread))
		return;
	atomic_store(&host.is_stopping, 1);
	futex_wake(&host.is_stopping);
	/* glibc's other joins abort the process where futexes are forbidden. */
	while (pthread_tryjoin_np(host.thread, NULL)) {
		if (clock_ns(CLOCK_MONOTONIC) > until_ns)
			return;
		short_sleep(END_PAUSE_NS);
	}
	atomic_store(&host.has_thread, false);
}

void host_end(struct store *store)
{
	stop_looker();
	row_queue_store(store);
	store_metadata(store, "host_states", status_text());
	if (host.why)
		return;
	store_metadata_int(store, "host_look_ns", atomic_load(&host.period_ns));
	store_metadata_int(store, "host_cpu_ns", atomic_load(&host.cpu_ns));
}

int host_threads(void)
{
	return atomic_load(&host.has_thread);
}

void host_after_fork(void)
{
	for (int i = 0; i < watched.count; i++)
		thread_samples_after_fork(&watched.threads[i].native.samples);
	memset(&host, 0, sizeof(host));
	memset(&watched, 0, sizeof(watched));
	watched_after_fork();
	row_queue_after_fork();
	python_threads_after_fork();
	own_memory_after_fork();
}
