#include "writer.h"

#include "clock.h"
#include "clock_steps.h"
#include "cupti_source.h"
#include "fork_guard.h"
#include "options.h"
#include "process.h"
#include "python_frames.h"
#include "recorder.h"
#include "store.h"
#include "windows.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define POLL_NS 50000000 /* between looks at the rings */
#define FLUSH_NS                                                                                   \
	250000000 /* between commits: a kill loses at most this, and CUPTI's last records */

/* The default is the program's to choose, and it may be 16 KB: SQLite and CUPTI need more. */
#define STACK_BYTES ((size_t)8 << 20)

/* Between looks at the time while a ring is emptied: half a millisecond's work. */
#define RECORDS_A_LOOK 1024

static const char *const loss_names[LOSS_COUNT] = {
	[LOSS_RING_OVERFLOW] = "ring-overflow",
	[LOSS_CORRELATION] = "correlation-lost",
	[LOSS_EXIT_TIMEOUT] = "exit-timeout",
	[LOSS_BACKWARD_CALL] = "backward-call",
	[LOSS_CUPTI_DROPPED] = "cupti-dropped",
	[LOSS_CUPTI_DISCARDED] = "cupti-discarded",
	[LOSS_UNTIMED] = "untimed",
	[LOSS_UNKNOWN_RECORD] = "unknown-record",
	[LOSS_CUPTI_ERROR] = "cupti-error",
	[LOSS_HOST_FUNCTION] = "host-function",
	[LOSS_STACK_TABLE_FULL] = "stack-table-full",
	[LOSS_ARGUMENTS] = "arguments-lost",
};

static const char *const end_names[] = {
	[WRITER_END_RUNNING] = "running",   [WRITER_END_EXIT] = "exit",
	[WRITER_END_DIRECT_EXIT] = "_exit", [WRITER_END_ABORT] = "abort",
	[WRITER_END_EXEC] = "exec",
};

/* What of the environment the trace describes: metadata key and variable. */
static const char *const variables[][2] = {
	{"cuda_visible_devices", "CUDA_VISIBLE_DEVICES"},
	{"cuda_launch_blocking", "CUDA_LAUNCH_BLOCKING"},
	{"cuda_device_max_connections", "CUDA_DEVICE_MAX_CONNECTIONS"},
};
#define VARIABLE_COUNT (sizeof(variables) / sizeof(variables[0]))

static struct {
	_Atomic uint32_t is_asleep; /* futex */
	_Atomic uint32_t is_done;   /* futex */
	_Atomic bool is_stopping;
	/* Of CLOCK_MONOTONIC: when the program's exit began to wait, when it will not wait much
	 * longer, until when it waits; 0: not yet. */
	_Atomic int64_t stop_ns, late_ns, stop_limit_ns;
	_Atomic uint32_t end;		   /* enum writer_end */
	_Atomic uint32_t flushes_asked;	   /* by writer_flush() */
	_Atomic uint32_t flushes_answered; /* futex */
	_Atomic uint64_t losses[LOSS_COUNT];
	int64_t next_commit_ns; /* of CLOCK_MONOTONIC */
	struct store *store;
	/* Taken on the program's thread, for its own setenv() and chdir() may run beside ours. */
	char path[PATH_MAX]; /* "": none fits */
	const char *variables[VARIABLE_COUNT];
	sigset_t signals; /* blocked by the program when the tracing began */
	bool is_alone;	  /* the program's threads have ended */
} writer;

static void futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t timeout_ns)
{
	struct timespec timeout = {.tv_sec = timeout_ns / 1000000000,
				   .tv_nsec = timeout_ns % 1000000000};

	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &timeout, NULL, 0);
}

static void futex_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void writer_wake(void)
{
	int saved_errno = errno;

	if (atomic_load_explicit(&writer.is_asleep, memory_order_relaxed) &&
	    atomic_exchange(&writer.is_asleep, 0))
		futex_wake(&writer.is_asleep);
	errno = saved_errno;
}

void writer_count_loss(enum loss loss, uint64_t count)
{
	atomic_fetch_add_explicit(&writer.losses[loss], count, memory_order_relaxed);
}

bool writer_is_late(void)
{
	int64_t late_ns = atomic_load_explicit(&writer.late_ns, memory_order_relaxed);

	return late_ns && clock_ns(CLOCK_MONOTONIC) >= late_ns;
}

/* A loss of the ring's thread, for it is known by the time that its records are. */
static void store_loss_of_ring(const struct ring *ring, enum loss loss, uint64_t count)
{
	if (count)
		store_loss(writer.store, loss_names[loss], count,
			   atomic_load_explicit(&ring->thread_id, memory_order_relaxed), NULL);
}

static void count_rest_of_ring(struct ring *ring)
{
	const struct record *record;
	uint64_t count = 0;

	while ((record = ring_peek(ring))) {
		count += record->kind == RECORD_CALL;
		ring_release(ring);
	}
	store_loss_of_ring(ring, LOSS_EXIT_TIMEOUT, count);
}

static void drain_ring(struct ring *ring)
{
	/* Read before the records: once an orphan is empty it stays so. */
	int state = atomic_load_explicit(&ring->state, memory_order_acquire);
	uint64_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);
	uint64_t backward = 0;
	const struct record *record;

	for (int i = 0; i < RING_RECORDS && (record = ring_peek(ring)); i++) {
		uint32_t thread_id = atomic_load_explicit(&ring->thread_id, memory_order_relaxed);

		if (i % RECORDS_A_LOOK == 0 && writer_is_late()) {
			count_rest_of_ring(ring);
			break;
		}
		backward += record->kind == RECORD_CALL && record->end_ns < record->start_ns;
		if (record->kind == RECORD_CALL) {
			store_call(writer.store, record, thread_id);
			if (record->has & RECORD_HAS_CORRELATION)
				windows_note_call(record->start_ns, record->correlation);
		} else if (record->kind == RECORD_HOST_FUNCTION) {
			store_host_function(writer.store, record, thread_id);
		} else if (record->kind == RECORD_GRAPH_NODE) {
			store_graph_node(writer.store, record, thread_id);
		} else {
			store_correlation(writer.store, record, thread_id);
		}
		ring_release(ring);
	}
	store_loss_of_ring(ring, LOSS_BACKWARD_CALL, backward);
	store_loss_of_ring(ring, LOSS_RING_OVERFLOW, dropped - ring->dropped_reported);
	ring->dropped_reported = dropped;
	if (state == RING_ORPHANED && !ring_peek(ring))
		atomic_store_explicit(&ring->state, RING_FREE, memory_order_release);
}

static void commit(void)
{
	store_commit(writer.store);
	writer.next_commit_ns = clock_ns(CLOCK_MONOTONIC) + FLUSH_NS;
}

/* Many full rings take seconds: what is done of them is to survive a kill, and an exit that does
 * not wait so long. */
static void drain_rings(void)
{
	windows_take(writer.store);
	for (struct ring *ring = recorder_rings(); ring; ring = ring->next) {
		drain_ring(ring);
		if (clock_ns(CLOCK_MONOTONIC) >= writer.next_commit_ns)
			commit();
	}
}

static void store_losses(void)
{
	char cupti_error[256];

	for (int loss = 0; loss < LOSS_COUNT; loss++) {
		uint64_t count = atomic_exchange(&writer.losses[loss], 0);

		if (!count)
			continue;
		if (loss == LOSS_CUPTI_ERROR)
			cupti_source_error(cupti_error, sizeof(cupti_error));
		store_loss(writer.store, loss_names[loss], count, STORE_NULL,
			   loss == LOSS_CUPTI_ERROR ? cupti_error : NULL);
	}
}

static void describe_python(void)
{
	char text[128];

	python_frames_find();
	if (python_frames_status(text, sizeof(text)))
		store_metadata(writer.store, "python", text);
}

static void flush(bool is_last)
{
	/* First, so that the windows know their calls; and CUPTI may not come back: a thread of the
	 * program can have exited inside it. */
	drain_rings();
	if (is_last)
		commit();
	else
		cupti_source_pause(!windows_are_open());
	cupti_source_flush(writer.store, is_last);
	/* Again after CUPTI: a call is in its ring before its operation can be complete. */
	drain_rings();
	clock_steps_check(writer.store, true);
	store_losses();
	cupti_source_describe(writer.store);
	describe_python();
	store_metadata_int(writer.store, "end_ns", clock_now_ns());
	store_metadata_int(writer.store, "tool_cpu_ns", clock_ns(CLOCK_THREAD_CPUTIME_ID));
	store_metadata(writer.store, "end", end_names[atomic_load(&writer.end)]);
	if (is_last)
		store_metadata_int(writer.store, "tool_flush_ns",
				   clock_ns(CLOCK_MONOTONIC) - atomic_load(&writer.stop_ns));
	commit();
}

static void describe_command_line(void)
{
	char text[4096];
	FILE *file = fopen("/proc/self/cmdline", "re");
	size_t size = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	if (file)
		fclose(file);
	for (size_t i = 0; i + 1 < size; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	text[size] = '\0';
	store_metadata(writer.store, "command_line", text);
}

/* The kernel module's version is the driver's: "580.159.04". */
static void describe_driver(void)
{
	char text[64];
	FILE *file = fopen("/sys/module/nvidia/version", "re");

	if (!file)
		return;
	if (fgets(text, sizeof(text), file)) {
		text[strcspn(text, "\n")] = '\0';
		store_metadata(writer.store, "driver_version", text);
	}
	fclose(file);
}

static void describe_run(void)
{
	char text[PATH_MAX];

	store_metadata(writer.store, "program", options_program());
	describe_command_line();
	if (getcwd(text, sizeof(text)))
		store_metadata(writer.store, "working_directory", text);
	if (!gethostname(text, sizeof(text)))
		store_metadata(writer.store, "host", text);
	store_metadata_int(writer.store, "process_id", getpid());
	if (options.rank)
		store_metadata(writer.store, "rank", options.rank);
	store_metadata(writer.store, "streamtrace_version", STREAMTRACE_VERSION);
	store_metadata(writer.store, "clock", "CLOCK_REALTIME");
	describe_driver();
	for (size_t i = 0; i < VARIABLE_COUNT; i++)
		if (writer.variables[i])
			store_metadata(writer.store, variables[i][0], writer.variables[i]);
	if (windows_follow_profiler())
		store_metadata(writer.store, "start", "paused");
	if (options.unknown[0])
		store_metadata(writer.store, "unknown_options", options.unknown);
	store_metadata_int(writer.store, "start_ns", clock_now_ns());
}

static bool open_store(void)
{
	char error[PATH_MAX + 128] = "the output path is too long";

	fork_guard_enter();
	if (writer.path[0])
		writer.store = store_open(writer.path, sizeof(writer.path), process_run_began_ns(),
					  error, sizeof(error));
	fork_guard_leave();
	if (!writer.store) {
		options_warn(OPTIONS_NO_FILE, "%s: the program runs untraced", error);
		return false;
	}
	options_say("writing %s", writer.path);
	describe_run();
	return true;
}

static bool is_flush_asked(void)
{
	return atomic_load(&writer.flushes_asked) != atomic_load(&writer.flushes_answered);
}

static void wait_for_work(void)
{
	atomic_store(&writer.is_asleep, 1);
	if (!atomic_load(&writer.is_stopping) && !is_flush_asked())
		futex_wait(&writer.is_asleep, 1, POLL_NS);
	atomic_store(&writer.is_asleep, 0);
}

/* True when main() left through pthread_exit() and all its threads have ended: the leader is a
 * zombie and we are the other one. glibc exits then, in the thread that ends last: that must be us.
 */
static bool is_program_gone(void)
{
	char text[512], state, *name_end;
	int threads = 0, file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t size = file < 0 ? -1 : read(file, text, sizeof(text) - 1);

	if (file >= 0)
		close(file);
	text[size > 0 ? size : 0] = '\0';
	name_end = strrchr(text, ')');
	return name_end &&
	       sscanf(name_end + 1,
		      " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d",
		      &state, &threads) == 2 &&
	       state == 'Z' && threads == 2;
}

static void record_until_stopped(void)
{
	int64_t next_flush_ns = 0;

	while (!atomic_load(&writer.is_stopping)) {
		uint32_t asked;

		wait_for_work();
		asked = atomic_load(&writer.flushes_asked);
		drain_rings();
		clock_steps_check(writer.store, false);
		if (clock_ns(CLOCK_MONOTONIC) < next_flush_ns && !is_flush_asked())
			continue;
		flush(false);
		atomic_store(&writer.flushes_answered, asked);
		futex_wake(&writer.flushes_answered);
		next_flush_ns = clock_ns(CLOCK_MONOTONIC) + FLUSH_NS;
		if (is_program_gone()) {
			atomic_store(&recorder_state, RECORDER_OFF);
			atomic_store(&writer.stop_ns, clock_ns(CLOCK_MONOTONIC));
			atomic_store(&writer.end, WRITER_END_EXIT);
			writer.is_alone = true;
			return;
		}
	}
}

/* exit() will run here, and its handlers are the program's. What our writes brought on us (a file
 * beyond RLIMIT_FSIZE) is not. */
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

static void *writer_main(void *unused)
{
	pthread_setname_np(pthread_self(), "streamtrace");
	if (open_store()) {
		record_until_stopped();
		flush(true);
		store_close(writer.store);
	} else {
		atomic_store(&recorder_state, RECORDER_OFF);
		cupti_source_stop();
	}
	atomic_store(&writer.is_done, 1);
	futex_wake(&writer.is_done);
	if (writer.is_alone)
		let_signals_in();
	return NULL;
}

static const char *copy_of(const char *text)
{
	return text ? strdup(text) : NULL;
}

bool writer_start(void)
{
	pthread_t thread;
	pthread_attr_t attributes;
	sigset_t all;
	int failed;

	if (!options_output_path(writer.path, sizeof(writer.path)))
		writer.path[0] = '\0';
	for (size_t i = 0; i < VARIABLE_COUNT; i++)
		writer.variables[i] = copy_of(getenv(variables[i][1]));
	if (options.unknown[0])
		options_warn(OPTIONS_UNKNOWN, "%s in the environment means nothing",
			     options.unknown);
	fork_guard_enter();
	store_initialize();
	fork_guard_leave();
	clock_steps_start();
	/* The program's signals are for the program's threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &writer.signals);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	failed = pthread_create(&thread, &attributes, writer_main, NULL);
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &writer.signals, NULL);
	if (failed)
		options_warn(OPTIONS_NO_FILE,
			     "no thread for the writer: %s: the program runs untraced",
			     strerror(failed));
	return !failed;
}

static void wake_at_once(void)
{
	atomic_store(&writer.is_asleep, 0);
	futex_wake(&writer.is_asleep);
}

/* An absurd number must not overflow: a day is for ever. */
static int64_t limit_ns(long timeout_ms)
{
	return clock_ns(CLOCK_MONOTONIC) +
	       (timeout_ms < 86400000 ? timeout_ms : 86400000) * 1000000;
}

void writer_stop(enum writer_end end, long timeout_ms)
{
	int64_t now_ns = clock_ns(CLOCK_MONOTONIC), until_ns = limit_ns(timeout_ms);

	atomic_store(&writer.stop_ns, now_ns);
	atomic_store(&writer.late_ns, until_ns - (until_ns - now_ns) / 5);
	atomic_store(&writer.stop_limit_ns, until_ns);
	atomic_store(&writer.end, end);
	atomic_store(&writer.is_stopping, true);
	wake_at_once();
}

void writer_wait_stopped(void)
{
	if (!atomic_load(&writer.is_stopping))
		return;
	while (!atomic_load(&writer.is_done)) {
		int64_t left_ns = atomic_load(&writer.stop_limit_ns) - clock_ns(CLOCK_MONOTONIC);

		if (left_ns <= 0) {
			options_say("exit waited no longer for the last flush");
			return;
		}
		futex_wait(&writer.is_done, 0, left_ns);
	}
}

void writer_flush(enum writer_end end, long timeout_ms)
{
	int64_t end_ns = limit_ns(timeout_ms), left_ns;
	uint32_t ticket, answered;

	atomic_store(&writer.end, end);
	ticket = atomic_fetch_add(&writer.flushes_asked, 1) + 1;
	wake_at_once();
	while (!atomic_load(&writer.is_stopping)) {
		answered = atomic_load(&writer.flushes_answered);
		left_ns = end_ns - clock_ns(CLOCK_MONOTONIC);
		if ((int32_t)(answered - ticket) >= 0 || left_ns <= 0)
			return;
		futex_wait(&writer.flushes_answered, answered, left_ns);
	}
}

void writer_goes_on(void)
{
	uint32_t expected = WRITER_END_EXEC;

	atomic_compare_exchange_strong(&writer.end, &expected, WRITER_END_RUNNING);
}

void writer_after_fork(void)
{
	memset(&writer, 0, sizeof(writer));
	store_after_fork();
}
