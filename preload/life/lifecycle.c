#include "life/lifecycle.h"

#include "base/clock.h"
#include "base/clock_reads.h"
#include "base/fork_guard.h"
#include "base/futex.h"
#include "base/loaded.h"
#include "base/losses.h"
#include "base/options.h"
#include "base/own_stack.h"
#include "base/run_page.h"
#include "content/content.h"
#include "cupti/source.h"
#include "first_use/first_use.h"
#include "host/host.h"
#include "life/scheduling.h"
#include "life/writer.h"
#include "nccl/nccl.h"
#include "nvtx/nvtx.h"
#include "nvtx/step_windows.h"
#include "recorder/recorder.h"
#include "recorder/windows.h"
#include "stack/python_frames.h"
#include "stack/sites.h"
#include "stack/walk.h"
#include "store/window_rows.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The driver's way to load profilers: cuInit() loads this path and calls InitializeInjection(). */
static const char injection_variable[] = "CUDA_INJECTION64_PATH";

__attribute__((visibility("default"))) int InitializeInjection(void);

static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;
static bool is_injected; /* the driver has called us, or will */
static pid_t process_id; /* the process of the writer: a raw fork does not run pthread_atfork()
			  * handlers */
static _Atomic pid_t exiting_thread; /* the first thread in exit() or quick_exit(); 0: none */

/* After abort() the calling thread may hold the heap's lock for ever. */
#define ABORT_TIMEOUT_MS 1000

/* How long a later thread in exit() leaves the handlers to the first one, which may itself wait for
 * that thread. CUDA's handlers took 0.2 s on an H200. */
#define FIRST_EXIT_NS 5000000000

void lifecycle_end(enum writer_end end)
{
	int saved_errno = errno;
	long timeout_ms = options.exit_timeout_ms;

	if (end == WRITER_END_ABORT && timeout_ms > ABORT_TIMEOUT_MS)
		timeout_ms = ABORT_TIMEOUT_MS;
	if (process_id == getpid()) {
		nvtx_end();
		first_use_stop();
		recorder_stop();
		writer_stop(end, timeout_ms);
		if (!writer_wait_stopped(timeout_ms)) {
			cupti_source_close();
			writer_say_late(timeout_ms);
		}
	}
	errno = saved_errno;
}

/* True: another thread was first. */
static bool is_later_exit(void)
{
	pid_t self = (pid_t)syscall(SYS_gettid), first = 0;

	return process_id == getpid() &&
	       !atomic_compare_exchange_strong(&exiting_thread, &first, self) && first != self;
}

/* Meanwhile the first thread's exit ends the process. */
static void let_first_thread_end(void)
{
	static _Atomic uint32_t never;
	const int64_t until_ns = clock_ns(CLOCK_MONOTONIC) + FIRST_EXIT_NS;
	int64_t left_ns;

	while ((left_ns = until_ns - clock_ns(CLOCK_MONOTONIC)) > 0)
		futex_wait(&never, 0, left_ns);
}

void lifecycle_enter_exit(bool runs_cuda_handlers)
{
	int saved_errno = errno;

	if (is_later_exit()) {
		if (!writer_wait_stopped(options.exit_timeout_ms))
			lifecycle_end(WRITER_END_EXIT);
		if (runs_cuda_handlers)
			let_first_thread_end();
	}
	errno = saved_errno;
}

bool lifecycle_before_exec(void)
{
	int saved_errno = errno;

	const bool is_flushed = process_id == getpid() && recorder_is_on();

	if (is_flushed)
		writer_flush_for_exec(options.exit_timeout_ms);
	errno = saved_errno;
	return is_flushed;
}

void lifecycle_after_exec(bool is_flushed)
{
	int saved_errno = errno;

	if (is_flushed)
		writer_goes_on();
	errno = saved_errno;
}

static void on_exit_of_program(void)
{
	const bool is_later = is_later_exit();

	lifecycle_end(WRITER_END_EXIT);
	if (is_later)
		let_first_thread_end();
}

/* Registers twice: exit() lets one thread through, and main() may return beside it unseen. */
static void register_exit(void)
{
	run_page_tell(RUN_MET_RECORD);
	if (atexit(on_exit_of_program) || atexit(on_exit_of_program) ||
	    at_quick_exit(on_exit_of_program))
		options_say("cannot register an exit handler: the last 250 ms may be missing");
}

/* Called once CUDA is initialized: our handler must run before CUDA's. */
static void arm_exit(void)
{
	pthread_once(&exit_once, register_exit);
}

/* Resets all to the state after loading: the parent's unfinished work and held locks are the
 * parent's. No thread and no file until the child calls CUDA. */
static void in_forked_child(void)
{
	fork_guard_after_in_child();
	atomic_store(&exiting_thread, 0);
	python_frames_after_fork();
	windows_after_fork();
	window_rows_after_fork();
	first_use_after_fork();
	nvtx_after_fork();
	nccl_after_fork();
	recorder_after_fork();
	writer_after_fork();
	host_after_fork();
	losses_after_fork();
	clock_after_fork();
	cupti_source_after_fork();
	start_once = (pthread_once_t)PTHREAD_ONCE_INIT;
}

static void watch_forks(void)
{
	pthread_atfork(fork_guard_before, fork_guard_after_in_parent, in_forked_child);
}

static void start_recording(void)
{
	static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

	process_id = getpid();
	run_page_tell(RUN_MET_LIBRARY);
	pthread_once(&watch_once, watch_forks);
	windows_begin();
	window_rows_begin();
	if (!writer_start(arm_exit)) {
		recorder_stop();
		return;
	}
	if (options_is_watch())
		cupti_source_leave_out();
	else if (!is_injected)
		cupti_source_start();
	/* The writer may have found meanwhile that it cannot have its file. */
	if (recorder_begin())
		windows_apply();
}

/* On a stack of its own: the first call's thread may have little. */
static void start_apart(void)
{
	writer_note_signals();
	own_stack_run(start_recording);
}

static void start_tracing(void)
{
	pthread_once(&start_once, start_apart);
}

int InitializeInjection(void)
{
	int saved_errno = errno;

	/* The hooks decide: another library's constructor may have loaded us before our constructor
	 * ran. */
	recorder_start();
	if (recorder_is_on() && !options_is_watch())
		own_stack_run(cupti_source_start);
	errno = saved_errno;
	return 1;
}

static bool library_path(char *path)
{
	Dl_info info;

	return dladdr((void *)library_path, &info) && info.dli_fname &&
	       realpath(info.dli_fname, path);
}

/* Whether the driver will load us: another profiler may have set the variable. NVTX asks for its
 * own later. */
static bool ask_for_injection(void)
{
	const char *asked = getenv(injection_variable);
	static char path[PATH_MAX];

	if (!library_path(path))
		return false;
	if (options.nvtx)
		nvtx_ask_for_injection(path);
	return asked ? !strcmp(asked, path) : !setenv(injection_variable, path, 0);
}

static const struct recorder_hooks hooks = {
	.first_call = start_tracing,
	.first_record = arm_exit,
	.segments_filled = writer_wake,
};

/* Makes no CUDA call, no thread, no file: most processes that inherit LD_PRELOAD never use CUDA. */
__attribute__((constructor)) static void on_load(void)
{
	const bool is_secure = getauxval(AT_SECURE);
	int saved_errno = errno;
	bool is_wanted;

	options_read();
	/* A set-user-ID program must not write where its caller says. */
	is_wanted = !options.disable && !is_secure && options_is_program_wanted();
	if (!is_secure)
		run_page_open();
	if (!is_wanted) {
		run_page_tell(options.disable ? RUN_MET_DISABLED : RUN_MET_LEFT_OUT);
		recorder_stop();
	} else {
		run_page_tell_library();
		scheduling_remember();
		walk_start();
		python_frames_begin();
		loaded_tell_unloads(sites_forget_closed);
		clock_reads_tell(recorder_clock_read);
		windows_initialize();
		step_windows_initialize();
		first_use_initialize();
		content_initialize();
		is_injected = ask_for_injection();
		/* The earlier call may have been cuInit(), after which nothing is injected any
		 * more. */
		if (!recorder_set_hooks(&hooks))
			is_injected = false;
	}
	errno = saved_errno;
}

/* For programs that end before the exit handler was armed, and for dlclose(). */
__attribute__((destructor)) static void on_unload(void)
{
	on_exit_of_program();
}
