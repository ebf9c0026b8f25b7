#include "life/writer.h"

#include "base/clock.h"
#include "base/fork_guard.h"
#include "base/futex.h"
#include "base/options.h"
#include "base/run_page.h"
#include "cupti/source.h"
#include "first_use/first_use.h"
#include "host/host.h"
#include "life/clock_steps.h"
#include "life/describe.h"
#include "life/drain.h"
#include "life/first_record.h"
#include "life/pause.h"
#include "life/process.h"
#include "life/scheduling.h"
#include "life/so_far.h"
#include "life/watching.h"
#include "recorder/recorder.h"
#include "recorder/windows.h"
#include "store/store.h"
#include "store/window_rows.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define POLL_NS 50000000 /* between readings of the rings */

#define EXEC_NS 1000000000

/* A thousand times what a thread's end takes; another thread may have got its number. */
#define THREAD_END_NS	    100000000
#define THREAD_END_PAUSE_NS 50000

/* The program chooses the default, perhaps 16 KB: SQLite and CUPTI need more. */
#define STACK_BYTES ((size_t)8 << 20)

static const char *const end_names[] = {
	[WRITER_END_RUNNING] = "running",   [WRITER_END_EXIT] = "exit",
	[WRITER_END_DIRECT_EXIT] = "_exit", [WRITER_END_ABORT] = "abort",
	[WRITER_END_EXEC] = "exec",
};

static struct {
	_Atomic uint32_t is_asleep; /* futex */
	_Atomic uint32_t is_done;   /* futex */
	_Atomic bool has_thread, is_stopping;
	/* Of CLOCK_MONOTONIC, when the program's exit: began to wait, will wait not much longer,
	 * stops waiting; 0: not yet. */
	_Atomic int64_t stop_ns, late_ns, stop_limit_ns;
	_Atomic uint32_t end;	 /* enum writer_end */
	_Atomic uint32_t execs;	 /* threads that asked for a flush before an exec which has not
				 * failed yet */
	_Atomic bool has_file;	 /* path holds its name */
	_Atomic pid_t thread_id; /* 0: the thread has not begun */
	_Atomic uint32_t flushes_asked;	   /* by writer_flush_for_exec() */
	_Atomic uint32_t flushes_answered; /* futex */
	int64_t next_commit_ns;		   /* of CLOCK_MONOTONIC */
	struct store *store;
	void (*has_device_records)(void);
	/* Taken on the program's thread, because its setenv() and chdir() may run beside ours. */
	char path[PATH_MAX];
	const char *path_error; /* NULL: the path is valid */
	sigset_t signals;	/* signals that the program blocked when tracing began */
	bool is_alone;		/* the program's threads have ended */
} writer;

static bool is_flush_asked(void)
{
	return atomic_load(&writer.flushes_asked) != atomic_load(&writer.flushes_answered);
}

void writer_wake(void)
{
	int saved_errno = errno;

	if (atomic_load_explicit(&writer.is_asleep, memory_order_relaxed) &&
	    atomic_exchange(&writer.is_asleep, 0))
		futex_wake(&writer.is_asleep);
	errno = saved_errno;
}

static bool is_late(void)
{
	int64_t late_ns = atomic_load_explicit(&writer.late_ns, memory_order_relaxed);

	return late_ns && clock_ns(CLOCK_MONOTONIC) >= late_ns;
}

static void commit_rows(void)
{
	store_commit(writer.store);
	writer.next_commit_ns = clock_ns(CLOCK_MONOTONIC) + TRACE_FLUSH_NS;
}

static void commit_when_due(void)
{
	if (clock_ns(CLOCK_MONOTONIC) >= writer.next_commit_ns)
		commit_rows();
}

/* Indexed by takes_all. */
static const struct drain_rules rules[] = {
	[false] = {.is_late = is_late, .after_ring = commit_when_due},
	[true] = {.is_late = is_late, .after_ring = commit_when_due, .takes_all = true},
};

/* With takes_all false, only what makes large blocks. True: the rings are empty. */
static bool drain_rings(bool takes_all)
{
	window_rows_take(writer.store);
	first_use_store(writer.store);
	host_store(writer.store);
	return drain_all(writer.store, &rules[takes_all]);
}

static void drain_last(void)
{
	drain_rings(true);
	drain_to_the_end(writer.store, &rules[true]);
}

static void drain_between(void)
{
	drain_rings(false);
}

/* Returns true if an exec was waiting for this flush. */
static bool flush_rings(bool is_last)
{
	/* Read before the rings. For an exit, the last flush stores the end, when all is in the
	 * file. */
	const bool is_before_exec = atomic_load(&writer.execs) > 0;

	/* Rings first, so that the windows know their calls, and because CUPTI may never return: a
	 * thread of the program may have exited inside it. */
	if (is_last) {
		drain_last();
		drain_thread_times(writer.store);
		commit_rows();
	} else {
		drain_rings(window_rows_are_partial());
	}
	cupti_source_flush(writer.store,
			   &(struct cupti_flush){.is_last = is_last,
						 .has_records = writer.has_device_records,
						 .is_late = is_late,
						 .after_buffer = drain_between});
	/* Again after CUPTI: a call is in its ring before its operation can be complete. */
	if (is_last)
		drain_last();
	else
		drain_rings(true);
	clock_steps_check(writer.store, true);
	so_far_store(writer.store);
	if (!is_last)
		store_metadata(writer.store, "end",
			       end_names[is_before_exec ? WRITER_END_EXEC : WRITER_END_RUNNING]);
	if (is_last || is_before_exec)
		store_unpack(writer.store, TRACE_UNPACK_ROWS, is_late);
	if (is_last)
		store_metadata_int(writer.store, "tool_flush_ns",
				   clock_ns(CLOCK_MONOTONIC) - atomic_load(&writer.stop_ns));
	commit_rows();
	return is_before_exec;
}

static bool open_store(void)
{
	char error[PATH_MAX + 128];

	fork_guard_enter();
	if (writer.path_error)
		snprintf(error, sizeof(error), "%s", writer.path_error);
	else
		writer.store = store_open(writer.path, sizeof(writer.path), process_run_began_ns(),
					  error, sizeof(error));
	fork_guard_leave();
	if (!writer.store) {
		run_page_tell(RUN_MET_NO_FILE);
		options_warn(OPTIONS_NO_FILE, "%s: the program runs untraced", error);
		return false;
	}
	atomic_store(&writer.has_file, true);
	options_say("writing %s", writer.path);
	describe_run(writer.store);
	return true;
}

static void wait_for_work(void)
{
	fork_guard_leave_heap();
	atomic_store(&writer.is_asleep, 1);
	if (!atomic_load(&writer.is_stopping) && !is_flush_asked())
		futex_wait(&writer.is_asleep, 1, POLL_NS);
	atomic_store(&writer.is_asleep, 0);
	fork_guard_enter_heap();
}

static void answer_flushes(uint32_t asked)
{
	atomic_store(&writer.flushes_answered, asked);
	futex_wake(&writer.flushes_answered);
}

/* True: exit() will run in this thread. False: the program's threads go on. */
static bool is_left_alone(void)
{
	writer.is_alone = process_threads_have_ended(1 + host_threads());
	if (writer.is_alone)
		recorder_stop();
	return writer.is_alone;
}

/* False: the program ends without a record. */
static bool wait_for_first_record(void)
{
	for (;;) {
		/* Both are read before the rings, because records can come in between. */
		uint32_t asked = atomic_load(&writer.flushes_asked);
		bool is_over = atomic_load(&writer.is_stopping) || is_left_alone();

		if (first_record_is_there())
			return true;
		if (is_over)
			return false;
		answer_flushes(asked);
		wait_for_work();
	}
}

/* Records that come meanwhile wait in the rings, for EXEC_NS at most, because the exec may hang. */
static void wait_for_exec(uint32_t asked)
{
	const int64_t until_ns = clock_ns(CLOCK_MONOTONIC) + EXEC_NS;

	answer_flushes(asked);
	while (atomic_load(&writer.execs) && !atomic_load(&writer.is_stopping) &&
	       !is_flush_asked() && clock_ns(CLOCK_MONOTONIC) < until_ns)
		wait_for_work();
}

/* Nobody is left after an exec to fold the log into the file, so the writer does it before. */
static void stand_back_for_exec(uint32_t asked)
{
	store_settle(writer.store);
	wait_for_exec(asked);
	store_resume(writer.store);
}

static void end_alone(void)
{
	atomic_store(&writer.stop_ns, clock_ns(CLOCK_MONOTONIC));
	atomic_store(&writer.end, WRITER_END_EXIT);
}

static void record_until_stopped(void)
{
	int64_t next_flush_ns = 0;
	bool is_empty = true;

	while (!atomic_load(&writer.is_stopping)) {
		uint32_t asked;

		if (is_empty)
			wait_for_work();
		asked = atomic_load(&writer.flushes_asked);
		pause_follow_windows();
		is_empty = drain_rings(false);
		clock_steps_check(writer.store, false);
		if (clock_ns(CLOCK_MONOTONIC) < next_flush_ns && !is_flush_asked())
			continue;
		if (flush_rings(false))
			stand_back_for_exec(asked);
		else
			answer_flushes(asked);
		next_flush_ns = clock_ns(CLOCK_MONOTONIC) + TRACE_FLUSH_NS;
		if (is_left_alone()) {
			end_alone();
			return;
		}
	}
}

/* An exec that fails goes on with a page of its own. */
static void watch_until_stopped(void)
{
	int64_t next_look_ns = 0;
	bool is_empty = true;

	while (!atomic_load(&writer.is_stopping)) {
		uint32_t asked;

		if (is_empty)
			wait_for_work();
		asked = atomic_load(&writer.flushes_asked);
		is_empty = watching_turn();
		if (is_flush_asked() && atomic_load(&writer.execs) > 0) {
			watching_break(end_names[WRITER_END_EXEC]);
			wait_for_exec(asked);
		} else {
			answer_flushes(asked);
		}
		if (clock_ns(CLOCK_MONOTONIC) < next_look_ns)
			continue;
		next_look_ns = clock_ns(CLOCK_MONOTONIC) + TRACE_FLUSH_NS;
		if (is_left_alone()) {
			end_alone();
			return;
		}
	}
}

static void watch_program(void)
{
	char error[PATH_MAX + 128];

	if (writer.path_error)
		snprintf(error, sizeof(error), "%s", writer.path_error);
	if (writer.path_error ||
	    !watching_begin(writer.path,
			    &(struct watching_hooks){is_late, writer.has_device_records}, error,
			    sizeof(error))) {
		run_page_tell(RUN_MET_NO_FILE);
		options_warn(OPTIONS_NO_FILE, "%s: the program runs untraced", error);
		recorder_stop();
		return;
	}
	watch_until_stopped();
	watching_end(end_names[atomic_load(&writer.end)], writer.is_alone);
}

/* exit() will run in this thread, and its handlers are the program's. A signal caused by our writes
 * (a file beyond RLIMIT_FSIZE) is not. */
static void let_signals_in(void)
{
	const struct timespec no_time = {0};
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, SIGXFSZ);
	while (sigtimedwait(&ours, NULL, &no_time) > 0)
		;
	pthread_sigmask(SIG_SETMASK, &writer.signals, NULL);
}

/* LeakSanitizer's function, in programs that have it: allocations of this thread are no leaks from
 * now on. */
__attribute__((weak)) void __lsan_disable(void);

static void *writer_main(void *unused)
{
	fork_guard_begin_thread();
	atomic_store(&writer.thread_id, gettid());
	if (__lsan_disable)
		__lsan_disable();
	scheduling_restore();
	pthread_setname_np(pthread_self(), "streamtrace");
	if (!wait_for_first_record()) {
		recorder_stop();
	} else if (options_is_watch()) {
		watch_program();
	} else if (open_store()) {
		host_begin();
		record_until_stopped();
		host_end(writer.store, writer.is_alone);
		flush_rings(true);
		store_close(writer.store, end_names[atomic_load(&writer.end)]);
	} else {
		recorder_stop();
		first_use_stop();
		cupti_source_stop();
	}
	atomic_store(&writer.is_done, 1);
	futex_wake(&writer.is_done);
	/* Threads that ask from now on see is_done; threads that asked before wait for an
	 * answer. */
	atomic_store(&writer.flushes_answered, atomic_load(&writer.flushes_asked));
	futex_wake(&writer.flushes_answered);
	fork_guard_leave_heap();
	if (writer.is_alone)
		let_signals_in();
	return NULL;
}

void writer_note_signals(void)
{
	pthread_sigmask(SIG_SETMASK, NULL, &writer.signals);
}

/* A system call: libstrace_touch.so interposes libc's function, and keeps SIGSEGV from being
 * blocked. */
static void set_mask(const sigset_t *set, sigset_t *old)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, set, old, NSIG / 8);
}

bool writer_start(void (*has_device_records)(void))
{
	pthread_t thread;
	pthread_attr_t attributes;
	sigset_t all, before;
	bool is_changed;
	int failed;

	writer.path_error = options_output_path(writer.path, sizeof(writer.path));
	writer.has_device_records = has_device_records;
	describe_take_environment();
	options_complain();
	fork_guard_enter();
	store_initialize();
	fork_guard_leave();
	clock_steps_start();
	/* The program's signals are for the program's threads. */
	sigfillset(&all);
	set_mask(&all, &before);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	atomic_store(&writer.has_thread, true);
	is_changed = scheduling_create_begin();
	fork_guard_enter_heap_of_thread();
	failed = pthread_create(&thread, &attributes, writer_main, NULL);
	scheduling_create_end(is_changed);
	if (failed) {
		fork_guard_no_thread();
		atomic_store(&writer.has_thread, false);
	}
	pthread_attr_destroy(&attributes);
	set_mask(&before, NULL);
	if (failed)
		options_warn(OPTIONS_NO_FILE,
			     "cannot start the writer thread: %s: the program runs untraced",
			     strerrordesc_np(failed));
	return !failed;
}

static void wake_at_once(void)
{
	atomic_store(&writer.is_asleep, 0);
	futex_wake(&writer.is_asleep);
}

/* A huge number must not overflow: a day counts as for ever. */
static int64_t limit_ns(long timeout_ms)
{
	return clock_ns(CLOCK_MONOTONIC) +
	       (timeout_ms < 86400000 ? timeout_ms : 86400000) * 1000000;
}

static void set_once(_Atomic int64_t *value, int64_t to)
{
	int64_t unset = 0;

	atomic_compare_exchange_strong(value, &unset, to);
}

/* Several threads may be here at once, and a thread twice in its signal handler: each stores all
 * that the writer needs, and the first counts. */
void writer_stop(enum writer_end end, long timeout_ms)
{
	int64_t now_ns = clock_ns(CLOCK_MONOTONIC), until_ns = limit_ns(timeout_ms);
	uint32_t none = WRITER_END_RUNNING;

	set_once(&writer.stop_ns, now_ns);
	set_once(&writer.late_ns, until_ns - (until_ns - now_ns) / 5);
	set_once(&writer.stop_limit_ns, until_ns);
	atomic_compare_exchange_strong(&writer.end, &none, end);
	atomic_store(&writer.is_stopping, true);
	wake_at_once();
}

void writer_say_late(long timeout_ms)
{
	if (atomic_load(&writer.has_file))
		options_warn(OPTIONS_LATE,
			     "%s: the end is missing: writing it took longer than the exit "
			     "timeout (%ld ms)",
			     writer.path, timeout_ms);
	else if (first_record_is_there() && !options_is_watch())
		options_warn(OPTIONS_LATE,
			     "no trace was written: it took longer than the exit timeout (%ld ms)",
			     timeout_ms);
}

/* LeakSanitizer looks through all threads in exit(). GCC 12's takes the thread-local memory of a library that was opened
 * later for what lies before it, and crashes if the thread that used it is still there. The end takes some 0.1 ms. */
static void wait_for_thread(void)
{
	const pid_t thread_id = atomic_load(&writer.thread_id);
	const int64_t until_ns = clock_ns(CLOCK_MONOTONIC) + THREAD_END_NS;

	if (!thread_id || thread_id == gettid())
		return;
	while (!syscall(SYS_tgkill, getpid(), thread_id, 0) && clock_ns(CLOCK_MONOTONIC) < until_ns)
		short_sleep(THREAD_END_PAUSE_NS);
}

bool writer_wait_stopped(long timeout_ms)
{
	const int64_t unasked_ns = limit_ns(timeout_ms);

	while (atomic_load(&writer.has_thread) && !atomic_load(&writer.is_done)) {
		const int64_t asked_ns = atomic_load(&writer.stop_limit_ns);
		const int64_t left_ns =
			(asked_ns ? asked_ns : unasked_ns) - clock_ns(CLOCK_MONOTONIC);

		if (left_ns <= 0)
			return false;
		futex_wait(&writer.is_done, 0, left_ns);
	}
	if (__lsan_disable)
		wait_for_thread();
	return true;
}

void writer_flush_for_exec(long timeout_ms)
{
	int64_t end_ns = limit_ns(timeout_ms), left_ns;
	uint32_t ticket, answered;

	atomic_fetch_add(&writer.execs, 1);
	ticket = atomic_fetch_add(&writer.flushes_asked, 1) + 1;
	wake_at_once();
	while (!atomic_load(&writer.is_stopping) && !atomic_load(&writer.is_done)) {
		answered = atomic_load(&writer.flushes_answered);
		left_ns = end_ns - clock_ns(CLOCK_MONOTONIC);
		if ((int32_t)(answered - ticket) >= 0 || left_ns <= 0)
			return;
		futex_wait(&writer.flushes_answered, answered, left_ns);
	}
}

void writer_goes_on(void)
{
	atomic_fetch_sub(&writer.execs, 1);
	wake_at_once();
}

void writer_after_fork(void)
{
	memset(&writer, 0, sizeof(writer));
	drain_after_fork();
	pause_after_fork();
	watching_after_fork();
	store_after_fork();
}
