/*
 * Measures which calls wait for what on this machine: each call of sync_matrix_calls.cu, beside a
 * kernel of 12 ms that is pending in another stream, in the call's own, or nowhere. Prints a table,
 * or CSV. NVIDIA documents that any call may wait, so that only a measurement tells.
 */
#include "samples/sync_matrix.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PENDING_NS = 12000000, RUN_COUNT = 3 };

struct cell {
	bool is_measured;
	double host_ms; /* the median of the runs */
	bool is_waiting;
};

struct row {
	struct cell cells[COLUMN_COUNT];
	const char *skipped; /* why it was not measured; NULL: it was */
};

static struct row *rows;  /* one a call */
static double pending_ms; /* what the pending kernel really takes */

static const struct {
	const char *head, *pending_work;
} columns[COLUMN_COUNT] = {
	{"none", "none"},
	{"non-blocking", "12 ms kernel in a non-blocking stream"},
	{"blocking", "12 ms kernel in a blocking stream"},
	{"legacy", "12 ms kernel in the legacy default stream"},
	{"per-thread", "12 ms kernel in the per-thread default stream"},
	{"same", "12 ms kernel in the same stream"},
};

/* What is taught: that the call waits for the kernel in that column (COLUMN_COUNT: in any), or
 * that it does not. */
static const struct {
	const char *sentence, *call;
	enum column column;
	bool is_waiting;
} lessons[] = {
	{"cudaSetDevice waits for the device", "cudaSetDevice(0)", COLUMN_COUNT, true},
	{"cudaMalloc waits for the device", "cudaMalloc 1MB", COLUMN_COUNT, true},
	{"cudaMallocHost waits for the device", "cudaMallocHost 1MB", COLUMN_COUNT, true},
	{"cudaHostRegister waits for the device", "cudaHostRegister 4MB", COLUMN_COUNT, true},
	{"cudaMallocManaged waits for the device", "cudaMallocManaged 1MB", COLUMN_COUNT, true},
	{"cudaMemset waits until it is done", "cudaMemset 1MB", COLUMN_COUNT, true},
	{"cudaMemcpy on the device waits until it is done", "cudaMemcpy D2D 1MB", COLUMN_COUNT,
	 true},
	{"cudaStreamDestroy waits for the stream's work", "cudaStreamDestroy", COLUMN_SAME, true},
	{"cudaEventDestroy waits for the event", "cudaEventDestroy", COLUMN_SAME, true},
	{"the first launch of a kernel loads it, which waits",
	 "first launch of lazily loaded kernel other", COLUMN_COUNT, true},
	{"cudaMemcpy waits for all work of the device", "cudaMemcpy H2D pinned 1MB",
	 COLUMN_NON_BLOCKING, true},
	{"synchronizing stream 0 waits for all streams", "cudaStreamSynchronize legacy default",
	 COLUMN_NON_BLOCKING, true},
	{"the per-thread default stream is a non-blocking one", "cudaMemcpy H2D pinned 1MB",
	 COLUMN_PER_THREAD, false},
	{"cudaMemcpyAsync to the host never waits", "cudaMemcpyAsync D2H pageable 1024",
	 COLUMN_SAME, false},
	{"cudaMemcpyAsync to the device never waits", "cudaMemcpyAsync H2D pageable 16777216",
	 COLUMN_SAME, false},
	{"cudaMemcpyAsync of managed memory never waits", "cudaMemcpyAsync H2D managed 1048576",
	 COLUMN_SAME, false},
	{"cudaFreeHost only gives memory back", "cudaFreeHost 1MB", COLUMN_COUNT, false},
	{"cudaHostUnregister only gives memory back", "cudaHostUnregister 4MB", COLUMN_COUNT,
	 false},
	{"a launch never waits for other work", "launch kernel with larger stack other",
	 COLUMN_COUNT, false},
};

static const char usage[] =
	"Usage: sync_matrix [OPTION]...\n"
	"\n"
	"Measures which CUDA calls wait for a pending kernel: half a minute on an idle GPU.\n"
	"\n"
	"  --csv   print CSV: call,pending_work,host_ms,blocked\n"
	"  --help  print this text\n";

static __global__ void spin(int64_t time_ns)
{
	int64_t start_ns, now_ns;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start_ns));
	do
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now_ns));
	while (now_ns - start_ns < time_ns);
}

static void must(cudaError_t error, const char *what)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "sync_matrix: %s: %s\n", what, cudaGetErrorString(error));
	exit(1);
}

static double now_ms()
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *times, int count)
{
	qsort(times, count, sizeof(*times), compare_times);
	return times[count / 2];
}

static void start_kernel(enum column column)
{
	cudaStream_t streams[COLUMN_COUNT] = {NULL,
					      sync_streams.non_blocking,
					      sync_streams.blocking,
					      cudaStreamLegacy,
					      cudaStreamPerThread,
					      sync_streams.same};

	if (column == COLUMN_NONE)
		return;
	spin<<<1, 1, 0, streams[column]>>>(PENDING_NS);
	must(cudaGetLastError(), "the pending kernel");
	if (column == COLUMN_SAME)
		must(cudaEventRecord(sync_streams.event, streams[column]), "the pending event");
}

/* Also warms up: the kernel is loaded, the clocks are high. */
static void calibrate()
{
	double times[RUN_COUNT];

	for (int run = 0; run < 2 * RUN_COUNT; run++) {
		double start_ms = now_ms();

		start_kernel(COLUMN_NON_BLOCKING);
		must(cudaDeviceSynchronize(), "the pending kernel");
		times[run % RUN_COUNT] = now_ms() - start_ms;
	}
	pending_ms = median(times, RUN_COUNT);
}

/* Waits until the device is idle, and forgets what error was returned before. */
static void settle()
{
	must(cudaDeviceSynchronize(), "between two calls");
	cudaGetLastError();
}

static bool is_failure(cudaError_t error)
{
	return error != cudaSuccess && error != cudaErrorNotReady;
}

/* One call, from an idle device to an idle device. */
static cudaError_t run_once(const struct sync_call *call, enum column column, double *time_ms)
{
	cudaError_t error = call->before ? call->before() : cudaSuccess;
	double start_ms;

	settle();
	if (is_failure(error))
		return error;
	start_kernel(column);
	start_ms = now_ms();
	error = call->call();
	*time_ms = now_ms() - start_ms;
	settle();
	if (!is_failure(error) && call->after)
		error = call->after();
	settle();
	return error;
}

static bool is_column_of(enum column column, enum call_kind kind)
{
	switch (kind) {
	case CALL_OTHER:
		return column != COLUMN_SAME;
	case CALL_SAME:
		return column == COLUMN_NONE || column == COLUMN_SAME;
	case CALL_FIRST:
		return column == COLUMN_NON_BLOCKING;
	case CALL_RESET:
		return column == COLUMN_NONE || column == COLUMN_NON_BLOCKING;
	}
	return false;
}

static const char *measure_cell(const struct sync_call *call, enum column column, struct row *row)
{
	int run_count = call->kind == CALL_FIRST || call->kind == CALL_RESET ? 1 : RUN_COUNT;
	double times[RUN_COUNT], longer_ms;
	struct cell *cell = &row->cells[column];

	for (int run = 0; run < run_count; run++) {
		cudaError_t error = run_once(call, column, &times[run]);

		if (is_failure(error))
			return cudaGetErrorString(error);
	}
	cell->is_measured = true;
	cell->host_ms = median(times, run_count);
	/* Longer than the same call with nothing pending, by the better part of the kernel. */
	longer_ms = cell->host_ms - row->cells[COLUMN_NONE].host_ms;
	cell->is_waiting = column != COLUMN_NONE && longer_ms > pending_ms / 2;
	return NULL;
}

static void measure_row(const struct sync_call *call, struct row *row)
{
	int value = 1;

	if (call->needs)
		must(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)call->needs, 0), call->name);
	if (!value)
		row->skipped = "not supported by this device";
	for (int column = 0; column < COLUMN_COUNT && !row->skipped; column++)
		if (is_column_of((enum column)column, call->kind))
			row->skipped = measure_cell(call, (enum column)column, row);
}

static void print_head()
{
	static cudaDeviceProp properties;

	must(cudaGetDeviceProperties(&properties, 0), "the device");
	printf("%s: host time in ms while a kernel of %.1f ms is pending; * the call waited for "
	       "it\n",
	       properties.name, pending_ms);
	printf("%-45s", "call");
	for (int column = 0; column < COLUMN_COUNT; column++)
		printf(" %12s", columns[column].head);
	putchar('\n');
}

static void print_row(const char *name, const struct row *row)
{
	printf("%-45s", name);
	if (row->skipped)
		printf("  skipped: %s", row->skipped);
	for (int column = 0; column < COLUMN_COUNT && !row->skipped; column++) {
		const struct cell *cell = &row->cells[column];

		if (cell->is_measured)
			printf(" %11.4f%c", cell->host_ms, cell->is_waiting ? '*' : ' ');
		else
			printf(" %11s ", "");
	}
	putchar('\n');
	fflush(stdout);
}

static void print_csv(const char *name, const struct row *row)
{
	if (row->skipped)
		fprintf(stderr, "sync_matrix: %s skipped: %s\n", name, row->skipped);
	for (int column = 0; column < COLUMN_COUNT && !row->skipped; column++)
		if (row->cells[column].is_measured)
			printf("\"%s\",%s,%.4f,%d\n", name, columns[column].pending_work,
			       row->cells[column].host_ms, row->cells[column].is_waiting);
	fflush(stdout);
}

static const struct row *find_row(const char *name)
{
	for (size_t i = 0; i < sync_call_count; i++)
		if (!strcmp(sync_calls[i].name, name))
			return &rows[i];
	fprintf(stderr, "sync_matrix: no call is named '%s'\n", name);
	exit(1);
}

/* The sentences that this machine contradicts. */
static void print_lessons()
{
	printf("\nCommon rules that are not true here:\n");
	for (const auto &lesson : lessons) {
		const struct row *row = find_row(lesson.call);
		bool is_measured = false, is_waiting = false;
		double longest_ms = 0;

		for (int column = COLUMN_NONE + 1; column < COLUMN_COUNT; column++) {
			const struct cell *cell = &row->cells[column];

			if (!cell->is_measured ||
			    (lesson.column != COLUMN_COUNT && lesson.column != column))
				continue;
			is_measured = true;
			is_waiting |= cell->is_waiting;
			longest_ms = cell->host_ms > longest_ms ? cell->host_ms : longest_ms;
		}
		if (is_measured && !row->skipped && is_waiting != lesson.is_waiting)
			printf("  \"%s\": %s took %.2f ms\n", lesson.sentence, lesson.call,
			       longest_ms);
	}
}

static bool parse_csv(int argc, char **argv)
{
	static const struct option options[] = {{"csv", no_argument, NULL, 'c'},
						{"help", no_argument, NULL, 'h'},
						{NULL, 0, NULL, 0}};
	bool is_csv = false;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			exit(0);
		}
		if (option != 'c')
			exit(2); /* getopt_long has said why */
		is_csv = true;
	}
	if (optind < argc) {
		fprintf(stderr, "sync_matrix: unexpected argument '%s'\n", argv[optind]);
		exit(2);
	}
	return is_csv;
}

int main(int argc, char **argv)
{
	bool is_csv = parse_csv(argc, argv);

	rows = (struct row *)calloc(sync_call_count, sizeof(*rows));
	must(rows ? cudaSuccess : cudaErrorMemoryAllocation, "the matrix");
	must(sync_calls_open(), "what the calls work on");
	calibrate();
	if (is_csv)
		printf("call,pending_work,host_ms,blocked\n");
	else
		print_head();
	for (size_t i = 0; i < sync_call_count; i++) {
		measure_row(&sync_calls[i], &rows[i]);
		(is_csv ? print_csv : print_row)(sync_calls[i].name, &rows[i]);
	}
	if (!is_csv)
		print_lessons();
	return 0;
}
