#include "commands/calibration.h"

#include "base/median.h"
#include "base/memory.h"
#include "commands/launch.h"
#include "model/tool_cost.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS	  13
#define EXIT_PART 3 /* of the limit: what the processes may take to end */
#define PROCESSES 4

/* A process with loops, in the order of processes[]. */
enum { WARM_UNTRACED, WARM_TRACED, COLD_UNTRACED, COLD_TRACED };

struct process {
	pid_t id; /* 0: none */
	int to, from;
	char *trace; /* NULL: untraced */
	struct loops_times rounds[ROUNDS];
};

struct measuring_calls {
	struct process processes[PROCESSES];
	char *library, *folder;
	int64_t until_ms, exit_ms;
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Nothing of ours is in the environment but what this says. */
static void set_environment(const struct measuring_calls *measuring, const struct process *process,
			    const char *uuid)
{
	static const char *const left_out[] = {
		"LD_PRELOAD",
		"CUDA_INJECTION64_PATH",
		"NVTX_INJECTION64_PATH",
#define ENVIRONMENT(name, field, type, value, rule, argument, meaning) "STREAMTRACE_" #name,
#include "facts/environment.def"
#undef ENVIRONMENT
	};

	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		unsetenv(left_out[i]);
	if (uuid)
		setenv("CUDA_VISIBLE_DEVICES", uuid, 1);
	if (!process->trace)
		return;
	setenv("LD_PRELOAD", measuring->library, 1);
	setenv("STREAMTRACE_OUTPUT", process->trace, 1);
	setenv("STREAMTRACE_QUIET", "1", 1);
}

static _Noreturn void become_loops(const struct measuring_calls *measuring,
				   const struct process *process, const char *uuid, int in, int out,
				   pid_t parent)
{
	const struct rlimit no_core = {0};
	bool is_cold = process - measuring->processes >= COLD_UNTRACED;
	int null = open("/dev/null", O_WRONLY);

	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null < 0 || getppid() != parent || dup2(in, STDIN_FILENO) < 0 ||
	    dup2(out, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		_exit(1);
	set_environment(measuring, process, uuid);
	execl("/proc/self/exe", "streamtrace", "calibrate",
	      is_cold ? "--loops=cold" : "--loops=warm", (char *)NULL);
	_exit(1);
}

static bool start_process(const struct measuring_calls *measuring, struct process *process,
			  const char *uuid)
{
	int to[2], from[2];
	pid_t parent = getpid();

	if (pipe2(to, O_CLOEXEC))
		return false;
	if (pipe2(from, O_CLOEXEC)) {
		close(to[0]);
		close(to[1]);
		return false;
	}
	process->id = fork();
	if (process->id == 0)
		become_loops(measuring, process, uuid, to[0], from[1], parent);
	close(to[0]);
	close(from[1]);
	process->to = to[1];
	process->from = from[0];
	return process->id > 0;
}

/* So many bytes of an answer, before the time is up. */
static bool read_answer(const struct measuring_calls *measuring, const struct process *process,
			void *answer, size_t bytes)
{
	struct pollfd from = {.fd = process->from, .events = POLLIN};
	int64_t left_ms = measuring->until_ms - now_ms();

	return left_ms > 0 && poll(&from, 1, (int)left_ms) == 1 &&
	       read(process->from, answer, bytes) == (ssize_t)bytes;
}

static bool start_all(struct measuring_calls *measuring, const char *uuid,
		      struct calibration *calibration)
{
	struct loops_hello hello;

	for (int i = 0; i < PROCESSES; i++) {
		struct process *process = &measuring->processes[i];

		if (i == WARM_TRACED || i == COLD_TRACED)
			process->trace = memory_format("%s/%d.db", measuring->folder, i);
		if (!start_process(measuring, process, uuid))
			return false;
	}
	for (int i = 0; i < PROCESSES; i++)
		if (!read_answer(measuring, &measuring->processes[i], &hello, sizeof(hello)))
			return false;
	calibration->has_runtime = hello.has_runtime;
	hello.uuid[sizeof(hello.uuid) - 1] = '\0';
	snprintf(calibration->uuid, sizeof(calibration->uuid), "%s", uuid ? uuid : hello.uuid);
	return true;
}

/* Each in its turn: what else the machine does comes to all of them. */
static bool run_rounds(struct measuring_calls *measuring)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < PROCESSES; i++) {
			struct process *process = &measuring->processes[i];
			struct loops_times *times = &process->rounds[round];

			if (write(process->to, "", 1) != 1 ||
			    !read_answer(measuring, process, times, sizeof(*times)))
				return false;
		}
	}
	return true;
}

/* True: it ended, so that its trace is complete. */
static bool wait_for(pid_t id, int64_t until_ms)
{
	int status;

	for (;;) {
		if (waitpid(id, &status, WNOHANG) == id)
			return WIFEXITED(status) && WEXITSTATUS(status) == 0;
		if (now_ms() >= until_ms)
			break;
		poll(NULL, 0, 5);
	}
	/* One that hangs in the driver would not end at once: it is left to init. */
	kill(id, SIGKILL);
	waitpid(id, NULL, WNOHANG);
	return false;
}

static bool end_all(struct measuring_calls *measuring)
{
	int64_t until_ms = now_ms() + measuring->exit_ms;
	bool ok = true;

	for (int i = 0; i < PROCESSES; i++) {
		if (measuring->processes[i].id > 0) {
			close(measuring->processes[i].to);
			close(measuring->processes[i].from);
		}
	}
	for (int i = 0; i < PROCESSES; i++)
		if (measuring->processes[i].id > 0)
			ok &= wait_for(measuring->processes[i].id, until_ms);
	return ok;
}

/* The median of a member of all rounds but the first, which warms up. */
static double median_of(const struct process *process, size_t offset)
{
	double values[ROUNDS - 1];

	for (int i = 1; i < ROUNDS; i++)
		memcpy(&values[i - 1], (const char *)&process->rounds[i] + offset, sizeof(double));
	return nth_of(values, ROUNDS - 1, (ROUNDS - 1) / 2);
}

static enum loops_path first_path(const struct calibration *calibration)
{
	return calibration->has_runtime ? LOOPS_RUNTIME : LOOPS_DRIVER;
}

static void take_times(const struct measuring_calls *measuring, struct calibration *calibration)
{
	const struct process *processes = measuring->processes;

	for (int path = (int)first_path(calibration); path < LOOPS_PATHS; path++) {
		for (int n = 0; n < 2 * LOOPS_CLASSES; n++) {
			int cold = n % 2;
			struct calibration_row *row = &calibration->rows[path][n / 2][cold];
			size_t offset = offsetof(struct loops_times, calls_ns[path][n / 2]);

			row->untraced_ns = median_of(&processes[2 * cold], offset);
			row->traced_ns = median_of(&processes[2 * cold + 1], offset);
		}
	}
	calibration->kernel_untraced_ns =
		median_of(&processes[WARM_UNTRACED], offsetof(struct loops_times, kernel_ns));
	calibration->kernel_traced_ns =
		median_of(&processes[WARM_TRACED], offsetof(struct loops_times, kernel_ns));
	calibration->pair_untraced_ns =
		median_of(&processes[WARM_UNTRACED], offsetof(struct loops_times, pair_ns));
	calibration->pair_traced_ns =
		median_of(&processes[WARM_TRACED], offsetof(struct loops_times, pair_ns));
}

/* What the library says of itself and of a class on a path; false: nothing. */
static bool take_class(const struct trace *trace, enum loops_path path, int n,
		       struct calibration_row *row)
{
	for (size_t i = 0; i < trace->tool_cost_count; i++) {
		const struct trace_tool_cost *cost = &trace->tool_costs[i];

		if (cost->via_driver_callback != (path == LOOPS_DRIVER) ||
		    cost->class != tool_cost_classes[n])
			continue;
		row->library_ns =
			(double)(cost->outside_ns + cost->inside_ns) / (double)cost->calls;
		row->call_ns =
			tool_cost_typical_ns(trace, path == LOOPS_DRIVER, tool_cost_classes[n]);
		return row->call_ns > 0;
	}
	return false;
}

static bool take_library(const struct process *process, struct calibration *calibration, int cold)
{
	char *error = NULL;
	struct trace *trace = trace_load(process->trace, &error);
	bool ok = trace;

	free(error);
	for (int path = (int)first_path(calibration); ok && path < LOOPS_PATHS; path++)
		for (int n = 0; ok && n < LOOPS_CLASSES; n++)
			ok = take_class(trace, (enum loops_path)path, n,
					&calibration->rows[path][n][cold]);
	trace_close(trace);
	return ok;
}

static void remove_traces(const struct measuring_calls *measuring)
{
	static const char *const ends[] = {"", "-wal", "-shm"};

	for (int i = 0; i < PROCESSES; i++) {
		const struct process *process = &measuring->processes[i];

		for (size_t k = 0; process->trace && k < sizeof(ends) / sizeof(*ends); k++) {
			char *path = memory_format("%s%s", process->trace, ends[k]);

			unlink(path);
			free(path);
		}
	}
	rmdir(measuring->folder);
}

static bool measure_in(struct measuring_calls *measuring, const char *uuid,
		       struct calibration *calibration)
{
	struct process *processes = measuring->processes;
	bool ok = start_all(measuring, uuid, calibration) && run_rounds(measuring);

	if (!end_all(measuring) || !ok)
		return false;
	take_times(measuring, calibration);
	return take_library(&processes[WARM_TRACED], calibration, 0) &&
	       take_library(&processes[COLD_TRACED], calibration, 1);
}

bool calibration_measure(const char *uuid, int64_t limit_ms, struct calibration *calibration)
{
	struct measuring_calls measuring = {.library = launch_find_library_quietly(),
					    .until_ms = now_ms() + limit_ms,
					    .exit_ms = limit_ms / EXIT_PART};
	const char *folder = getenv("TMPDIR");
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);
	bool ok = false;

	*calibration = (struct calibration){0};
	measuring.folder =
		memory_format("%s/streamtrace.XXXXXX", folder && *folder ? folder : "/tmp");
	if (measuring.library && mkdtemp(measuring.folder)) {
		ok = measure_in(&measuring, uuid, calibration);
		remove_traces(&measuring);
	}
	for (int i = 0; i < PROCESSES; i++)
		free(measuring.processes[i].trace);
	free(measuring.folder);
	free(measuring.library);
	signal(SIGPIPE, before);
	return ok;
}

static double at_least_0(double value)
{
	return value > 0 ? value : 0;
}

static void set_number(struct cache *numbers, enum loops_path path, int n,
		       enum tool_cost_number number, double value)
{
	char key[TOOL_COST_KEY_BYTES];

	tool_cost_key(key, path == LOOPS_DRIVER, tool_cost_classes[n], number);
	cache_set(numbers, key, at_least_0(value));
}

double calibration_cupti_ns(const struct calibration_row *row)
{
	return at_least_0(row->traced_ns - row->untraced_ns - row->library_ns);
}

double calibration_kernel_gap_ns(const struct calibration *calibration)
{
	return at_least_0(calibration->kernel_traced_ns - calibration->kernel_untraced_ns);
}

double calibration_copy_gap_ns(const struct calibration *calibration)
{
	return at_least_0(calibration->pair_traced_ns - calibration->pair_untraced_ns -
			  calibration_kernel_gap_ns(calibration));
}

void calibration_numbers(const struct calibration *calibration, struct cache *numbers)
{
	for (int path = (int)first_path(calibration); path < LOOPS_PATHS; path++) {
		for (int n = 0; n < LOOPS_CLASSES; n++) {
			const struct calibration_row *rows = calibration->rows[path][n];

			set_number(numbers, path, n, TOOL_CUPTI_WARM,
				   calibration_cupti_ns(&rows[0]));
			set_number(numbers, path, n, TOOL_CUPTI_COLD,
				   calibration_cupti_ns(&rows[1]));
			set_number(numbers, path, n, TOOL_CALL_WARM, rows[0].call_ns);
			set_number(numbers, path, n, TOOL_CALL_COLD, rows[1].call_ns);
		}
	}
	cache_set(numbers, TOOL_KERNEL_GAP_KEY, calibration_kernel_gap_ns(calibration));
	cache_set(numbers, TOOL_COPY_GAP_KEY, calibration_copy_gap_ns(calibration));
}
