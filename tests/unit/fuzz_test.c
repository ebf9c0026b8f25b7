/*
 * A valid trace with a few bytes changed, 2,000 times: loading must return or fail with one line,
 * never crash (run it with the asan preset) and never hang.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "trace/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS	     2000
#define MOST_CHANGED 16
#define HEADER_BYTES 100
#define SEED	     20261120u

static unsigned int next_random(unsigned int *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* Touches all that a report would. */
static void use(struct trace *trace)
{
	size_t i;

	trace_resolve_sites(trace);
	for (i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		assert_true(call->start_ns <= call->end_ns && call->function != NULL);
		site_describe(trace, call->site, call->operation ? call->operation->name : NULL);
	}
	for (i = 0; i < trace->operation_count; i++)
		assert_true(trace->operations[i].start_ns <= trace->operations[i].end_ns &&
			    trace->operations[i].stream->id < UINT32_MAX);
}

static void test_changed_bytes(void **state)
{
	char *folder = make_folder(), path[256], *bytes, *changed, *error;
	unsigned int random = SEED, round, i, loaded = 0, refused = 0;
	struct trace *trace;
	size_t size;

	snprintf(path, sizeof(path), "%s/trace.db", folder);
	build_trace(path, "overlap.sql", NULL);
	bytes = read_file(path, &size);
	changed = malloc(size);
	assert_non_null(changed);
	for (round = 0; round < ROUNDS; round++) {
		memcpy(changed, bytes, size);
		/* Most rounds leave the header alone, which refuses nearly any change. */
		for (i = next_random(&random) % MOST_CHANGED + 1; i > 0; i--) {
			size_t first = round % 8 ? HEADER_BYTES : 0;

			changed[first + next_random(&random) % (size - first)] ^=
				(char)(1 + next_random(&random) % 255);
		}
		write_file(path, changed, size);
		trace = trace_load(path, &error);
		if (trace) {
			loaded++;
			use(trace);
			trace_close(trace);
			continue;
		}
		refused++;
		assert_true(strlen(error) > 0 && !strchr(error, '\n'));
		free(error);
	}
	print_message("%u loaded, %u refused\n", loaded, refused);
	assert_true(loaded > ROUNDS / 20 && refused > ROUNDS / 20);
	free(bytes);
	free(changed);
	remove_folder(folder);
	free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_changed_bytes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
