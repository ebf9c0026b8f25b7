#include "findings/failures.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct error {
	const char *runtime, *driver;
	int number;
	enum call_error_kind kind;
};

static const struct error errors[] = {
#define CALL_ERROR(number, runtime, driver, kind) {runtime, driver, number, kind},
#include "facts/errors.def"
#undef CALL_ERROR
};

static const struct error *find_error(int number)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (errors[i].number == number)
			return &errors[i];
	return NULL;
}

bool failures_has_failed(const struct trace_call *call)
{
	const struct error *error = call->form->result ? find_error(call->form->result) : NULL;

	return call->form->result && (!error || error->kind != NOT_FAILED);
}

bool failures_is_of_device(const struct trace_call *call)
{
	const struct error *error = find_error(call->form->result);

	return error && error->kind == DEVICE_FAILED;
}

static bool is_of_driver(const char *function)
{
	return strncmp(function, "cu", 2) == 0 && strncmp(function, "cuda", 4) != 0;
}

char *failures_name(const struct trace_call *call)
{
	const struct error *error = find_error(call->form->result);
	const char *name = error ? error->runtime : NULL;

	if (error && error->driver && (!name || is_of_driver(call->form->function->name)))
		name = error->driver;
	return name ? memory_format("%s", name) : memory_format("error %d", call->form->result);
}

/* When the last call of each thread that counts returns. */
struct returns {
	struct map threads; /* to indexes in until_ns */
	int64_t *until_ns;
	size_t count, capacity;
};

/* Whether the call is not inside one of its thread that counts; then it counts. */
static bool take_call(struct returns *returns, const struct trace_call *call)
{
	size_t thread = map_find(&returns->threads, call->form->thread_id);

	if (thread == MAP_NONE) {
		thread = returns->count;
		returns->until_ns = memory_grow(returns->until_ns, returns->count,
						&returns->capacity, sizeof(*returns->until_ns));
		returns->until_ns[returns->count++] = INT64_MIN;
		map_set(&returns->threads, call->form->thread_id, thread);
	}
	assert(returns->until_ns); /* a thread is in it */
	if (call->form->via_driver_callback && call->end_ns <= returns->until_ns[thread])
		return false;
	returns->until_ns[thread] = max_ns(returns->until_ns[thread], call->end_ns);
	return true;
}

struct failed_calls failures_find(const struct trace *trace)
{
	struct failed_calls failed = {0};
	struct returns returns = {0};

	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call *call = &trace->calls[i];

		if (!failed.first && !failures_has_failed(call))
			continue;
		if (!take_call(&returns, call))
			continue;
		failed.first = failed.first ? failed.first : call;
		failed.calls_since++;
		failed.count += failures_has_failed(call);
	}
	map_free(&returns.threads);
	free(returns.until_ns);
	return failed;
}
