/*
 * The traced program of watch_test.c: `watch_app SCENARIO`. It reads what libstrace.so tells of it in trace.watch, and
 * goes on with steps until that is what the scenario waits for: nothing depends on how fast the machine is.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nvtx3/nvToolsExt.h>

#include "fake_cuda.h"
#include "facts/watch_page.h"
#include "scenario.h"
#include "streamtrace.h"

enum { MS = 1000, STEP_MS = 2, SLOW_MS = 1500, BYTES = 1 << 16 };

static uint8_t *device;
static int steps;
static void (*begin_step)(void), (*end_step)(void);

static void no_end(void)
{
}

static void begin_range(void)
{
	nvtxRangePushA("step");
}

static void end_range(void)
{
	nvtxRangePop();
}

/* Not inlined: a slow step's call has this function in its stack. */
static __attribute__((noinline)) void work(int ms)
{
	for (int i = 0; i < 4; i++)
		cudaMemsetAsync(device, i, BYTES, NULL);
	cudaStreamSynchronize(NULL);
	usleep((useconds_t)ms * MS);
}

static void step(int ms)
{
	begin_step();
	work(ms);
	end_step();
	steps++;
}

static void set_up(void)
{
	cudaMalloc((void **)&device, BYTES);
	begin_step = streamtrace_step;
	end_step = no_end;
}

/* False: there is no page, or it is being written. */
static bool read_page(struct watch_page *page)
{
	const int file = open("trace" WATCH_PAGE_SUFFIX, O_RDONLY);
	const bool is_read = file >= 0 && read(file, page, sizeof(*page)) == sizeof(*page) &&
			     page->begun == page->ended && page->begun;

	if (file >= 0)
		close(file);
	return is_read;
}

/* Makes steps until the page says what is waited for; untraced a few. */
static void step_until(bool (*is_reached)(const struct watch_page *page, uint64_t number),
		       uint64_t number)
{
	struct watch_page page;

	for (;;) {
		step(STEP_MS);
		if (read_page(&page) && is_reached(&page, number))
			return;
	}
}

static bool is_learned(const struct watch_page *page, uint64_t number)
{
	return page->median_ns > 0 && page->steps >= number;
}

static bool has_incidents(const struct watch_page *page, uint64_t number)
{
	return page->incidents == number && page->state == WATCH_WATCHING;
}

static bool has_left_out(const struct watch_page *page, uint64_t number)
{
	return page->left_out >= number;
}

static bool is_recording(const struct watch_page *page, uint64_t number)
{
	return page->incidents == number && page->state == WATCH_RECORDING;
}

/* Slow steps, of which each is an incident. */
static void make_incidents(int count)
{
	for (int i = 1; i <= count; i++) {
		step_until(is_learned, (uint64_t)steps + 1);
		printf("slow %d\n", steps);
		step(SLOW_MS);
		step_until(has_incidents, (uint64_t)i);
	}
}

static void scenario_slow(void)
{
	set_up();
	make_incidents(2);
}

/* A child stops the program in the middle of a step. It is made before CUDA begins. */
static void scenario_stopped(void)
{
	int go[2];
	char byte = 0;
	pid_t child;

	if (pipe(go) || (child = fork()) < 0)
		exit(1);
	if (!child) {
		if (read(go[0], &byte, 1) == 1) {
			kill(getppid(), SIGSTOP);
			usleep(SLOW_MS * MS);
			kill(getppid(), SIGCONT);
		}
		_exit(0);
	}
	set_up();
	step_until(is_learned, 1);
	begin_step();
	if (write(go[1], &byte, 1) != 1 || waitpid(child, NULL, 0) != child)
		exit(1);
	work(STEP_MS);
	step_until(has_incidents, 1);
}

static void scenario_nvtx(void)
{
	set_up();
	begin_step = begin_range;
	end_step = end_range;
	make_incidents(1);
}

/* The steps are counted from when they were found on. */
static void scenario_period(void)
{
	set_up();
	begin_step = no_end;
	step_until(is_learned, 1);
	step(SLOW_MS);
	step_until(has_incidents, 1);
}

/* A kernel that takes longer than STREAMTRACE_WATCH_HANG_MS, and no step. */
static void wait_for_kernel(void **args)
{
	(void)args;
}

static __attribute__((noinline)) void hang(void)
{
	uint64_t ns = UINT64_C(4000000000);
	void *args[] = {&ns};

	__cudaLaunchKernel((cudaKernel_t)wait_for_kernel, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0,
			   NULL);
	cudaStreamSynchronize(NULL);
}

static void scenario_hang(void)
{
	set_up();
	begin_step = no_end;
	hang();
	step_until(has_incidents, 1);
}

static void raise_signal(void)
{
	raise(SIGUSR2);
}

static void make_trigger(void)
{
	close(creat("trace" WATCH_TRIGGER_SUFFIX, 0600));
}

static void ask_for_incident(void (*ask)(void))
{
	set_up();
	step_until(is_learned, 1);
	ask();
	step_until(has_incidents, 1);
}

static void scenario_signal(void)
{
	ask_for_incident(raise_signal);
}

static void scenario_trigger(void)
{
	ask_for_incident(make_trigger);
	if (!access("trace" WATCH_TRIGGER_SUFFIX, F_OK))
		puts("the trigger is still there");
}

/* More incidents than STREAMTRACE_WATCH_HOUR allows, or bytes than STREAMTRACE_WATCH_DAY does. */
static void scenario_bounds(void)
{
	set_up();
	step_until(is_learned, 1);
	make_trigger();
	step_until(has_incidents, 1);
	for (uint64_t i = 1; i <= 3; i++) {
		make_trigger();
		step_until(has_left_out, i);
	}
}

static void begin_incident(void)
{
	set_up();
	step_until(is_learned, 1);
	make_trigger();
	step_until(is_recording, 1);
}

static void scenario_exit_meanwhile(void)
{
	begin_incident();
	work(0);
}

static void scenario_killed_meanwhile(void)
{
	begin_incident();
	for (int i = 0; i < 200; i++)
		step(STEP_MS);
	raise(SIGKILL);
}

static void scenario_exec_meanwhile(void)
{
	char path[4096];
	const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	begin_incident();
	path[length] = '\0';
	execl("/no/such/program", "program", (char *)NULL);
	/* It goes on, with a page again. */
	step_until(has_incidents, 1);
	execl(path, path, "slow", (char *)NULL);
}

/* The child watches itself, under a name of its own. */
static void scenario_fork(void)
{
	int status;

	begin_incident();
#ifdef __SANITIZE_THREAD__
	/* Its fork() takes the heap's lock before libstrace.so can wait for its own thread, which loads CUPTI now. */
	step_until(has_incidents, 1);
#endif
	fflush(stdout);
	if (!fork()) {
		set_up();
		step(STEP_MS);
		while (access("trace.2" WATCH_PAGE_SUFFIX, F_OK))
			step(STEP_MS);
		exit(0);
	}
	wait(&status);
	printf("child %d\n", status);
	step_until(has_incidents, 1);
}

static long resident_kb(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (!file || fscanf(file, "%*d %ld", &pages) != 1)
		exit(2);
	fclose(file);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int count_files(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

/* CUPTI goes on and off each time; everything is as it was the second time, when all was loaded. */
static void scenario_again(void)
{
	enum { TIMES = 24, NORMAL_STEPS = 10 };
	long before_kb = 0;
	int files = 0;

	set_up();
	step_until(is_learned, 1);
	for (uint64_t i = 1; i <= TIMES; i++) {
		for (int k = 0; k < NORMAL_STEPS; k++)
			step(STEP_MS);
		make_trigger();
		step_until(has_incidents, i);
		if (i == TIMES / 4) {
			before_kb = resident_kb();
			files = count_files();
		}
	}
	printf("grown %ld\nfiles %d\n", resident_kb() - before_kb, count_files() - files);
}

/* More pauses than wait at once, and steps around and in them that take as long as a slow one. */
static void scenario_paused(void)
{
	enum { PAUSES = 300 };
	struct watch_page before, after;

	set_up();
	step_until(is_learned, 1);
	for (int i = 0; i < PAUSES; i++) {
		begin_step();
		streamtrace_stop();
		begin_step();
		work(i % 100 ? 0 : SLOW_MS);
		streamtrace_start();
		work(0);
	}
	streamtrace_stop();
	usleep(2 * WATCH_PAGE_PERIOD_MS * MS);
	if (!read_page(&before))
		exit(1);
	work(0);
	usleep(2 * WATCH_PAGE_PERIOD_MS * MS);
	if (!read_page(&after))
		exit(1);
	printf("calls %d\n", (int)(after.calls - before.calls));
	streamtrace_start();
	steps = (int)after.steps;
	make_incidents(1);
}

static void scenario_quiet(void)
{
	set_up();
	for (int i = 0; i < 1000; i++)
		step(STEP_MS + i % 3);
}

static const struct scenario scenarios[] = {
	{"slow", scenario_slow},
	{"stopped", scenario_stopped},
	{"nvtx", scenario_nvtx},
	{"period", scenario_period},
	{"hang", scenario_hang},
	{"signal", scenario_signal},
	{"trigger", scenario_trigger},
	{"bounds", scenario_bounds},
	{"exit-meanwhile", scenario_exit_meanwhile},
	{"killed-meanwhile", scenario_killed_meanwhile},
	{"exec-meanwhile", scenario_exec_meanwhile},
	{"fork", scenario_fork},
	{"again", scenario_again},
	{"paused", scenario_paused},
	{"quiet", scenario_quiet},
	{NULL, NULL},
};

int main(int argc, char **argv)
{
	scenario_find(scenarios, argc, argv)->run();
	return 0;
}
