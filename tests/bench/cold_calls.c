/*
 * Calls with nothing in the caches before them, for cold_calls.py, which says more: from below so many native frames, in this
 * program or from Python, which loads the same as a library.
 */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

enum {
	LINE_BYTES = 64,
	MEMORY_BYTES = 2 << 20, /* more than a core's caches have, or most of it */
	CODE_BYTES = 256 << 10, /* likewise for code */
	FRAMES = 6,		/* as many as are read of a program's own */
	CALLS_MOST = 100000,
	SETTLE_US = 2000,
	MEASURE_US = 20000
};

int cold_calls_turn(int is_watched);
double cold_calls_ns(int is_cold);

static volatile char memory[MEMORY_BYTES];
static void (*run_code)(void);
static volatile int nothing;
static double ns_per_tick;

/* Jumps from line to line, and returns. */
__attribute__((constructor)) static void write_code(void)
{
	unsigned char *code = mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		abort();
	for (int at = 0; at + LINE_BYTES < CODE_BYTES; at += LINE_BYTES)
		memcpy(code + at, "\xeb\x3e", 2); /* jmp 62 bytes beyond */
	code[CODE_BYTES - LINE_BYTES] = 0xc3;	  /* ret */
	memcpy(&run_code, &code, sizeof(code));
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The clock itself would bring its code into the caches. */
__attribute__((constructor)) static void measure_ticks(void)
{
	const int64_t begin_ns = now_ns(), begin = (int64_t)__rdtsc();

	usleep(MEASURE_US);
	ns_per_tick = (double)(now_ns() - begin_ns) / (double)((int64_t)__rdtsc() - begin);
}

static void use_caches(void)
{
	for (int at = 0; at < MEMORY_BYTES; at += LINE_BYTES)
		memory[at]++;
	run_code();
}

static __attribute__((noinline)) int64_t call_below(int frames)
{
	int64_t ticks;

	if (frames) {
		ticks = call_below(frames - 1) + nothing;
	} else {
		ticks = (int64_t)__rdtsc();
		cudaStreamQuery(NULL);
		ticks = (int64_t)__rdtsc() - ticks;
	}
	return ticks + nothing; /* no tail call: each has a frame */
}

/* False: this is not traced. */
int cold_calls_turn(int is_watched)
{
	void (*set)(void) = NULL;

	*(void **)&set = dlsym(RTLD_DEFAULT, is_watched ? "streamtrace_start" : "streamtrace_stop");
	if (!set)
		return 0;
	set();
	usleep(SETTLE_US);
	return 1;
}

double cold_calls_ns(int is_cold)
{
	if (is_cold)
		use_caches();
	return (double)call_below(FRAMES) * ns_per_tick;
}

/* cold_calls IS_COLD TURNS CALLS: prints IS_WATCHED NS for each call, after a turn. */
int main(int argc, char **argv)
{
	static double ns[CALLS_MOST];
	const int is_cold = atoi(argv[1]), turns = atoi(argv[2]), calls = atoi(argv[3]);

	for (int turn = 0; turn < 2 * turns; turn++) {
		if (calls > CALLS_MOST || !cold_calls_turn(turn % 2))
			return 1;
		for (int i = 0; i < calls; i++)
			ns[i] = cold_calls_ns(is_cold);
		for (int i = 0; i < calls; i++)
			printf("%d %.0f\n", turn % 2, ns[i]);
	}
	return 0;
}
