#include "mcp/in_flight.h"

#include "mcp/answer.h"
#include "mcp/tools.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* How often progress is told. */
#define TELL_MS 1000
/* How often a process that is stopped, or has a time limit, is looked at. */
#define LOOK_MS 100
/* Of what a traced program prints, its end. */
#define PROGRAM_OUTPUT_BYTES 8192

static bool runs_program(const struct call *call)
{
	return call->tool && call->tool->runs_program;
}

static void tell_progress(struct call *call, FILE *out)
{
	const int64_t since_ms = process_now_ms() - call->begin_ms;
	const char *what = call->tool ? call->tool->name : "report";

	if (!call->token || call->is_cancelled ||
	    (call->told_ms >= 0 && since_ms < call->told_ms + TELL_MS))
		return;
	call->told_ms = since_ms;
	message_notify(out, "notifications/progress",
		       json_pack("{s:O, s:I, s:o}", "progressToken", call->token, "progress",
				 (json_int_t)since_ms, "message",
				 json_sprintf("%s: %lld s", what, (long long)since_ms / 1000)));
}

/* Of a call that left no trace. */
static void remove_folder(const struct call *call)
{
	if (call->words.folder)
		rmdir(call->words.folder);
}

bool in_flight_start(struct in_flight *in_flight, struct call *call, FILE *out, char **why)
{
	const size_t most = runs_program(call) ? PROGRAM_OUTPUT_BYTES : ANSWER_MOST_OUTPUT;

	if (!process_start(&call->process, call->words.words.items, call->words.directory, most)) {
		*why = memory_format("no process can be started: %s", strerror(errno));
		remove_folder(call);
		in_flight_free(call);
		return false;
	}
	call->begin_ms = process_now_ms();
	call->told_ms = -1;
	*vector_add(&in_flight->calls) = call;
	tell_progress(call, out);
	return true;
}

void in_flight_cancel(struct in_flight *in_flight, const json_t *id)
{
	for (size_t i = 0; i < in_flight->calls.count; i++) {
		struct call *call = in_flight->calls.items[i];

		if (!json_equal(call->id, id))
			continue;
		call->is_cancelled = true;
		process_stop(&call->process);
	}
}

void in_flight_stop(struct in_flight *in_flight, bool all)
{
	for (size_t i = 0; i < in_flight->calls.count; i++)
		if (all || runs_program(in_flight->calls.items[i]))
			process_stop(&in_flight->calls.items[i]->process);
}

bool in_flight_runs_program(const struct in_flight *in_flight)
{
	for (size_t i = 0; i < in_flight->calls.count; i++)
		if (runs_program(in_flight->calls.items[i]))
			return true;
	return false;
}

size_t in_flight_poll(const struct in_flight *in_flight, struct pollfd *fds)
{
	size_t count = 0;

	for (size_t i = 0; i < in_flight->calls.count; i++) {
		const struct process *process = &in_flight->calls.items[i]->process;

		if (process->out >= 0)
			fds[count++] = (struct pollfd){.fd = process->out, .events = POLLIN};
		if (process->errors >= 0)
			fds[count++] = (struct pollfd){.fd = process->errors, .events = POLLIN};
	}
	return count;
}

int in_flight_wait_ms(const struct in_flight *in_flight)
{
	int wait_ms = -1;

	for (size_t i = 0; i < in_flight->calls.count; i++) {
		const struct call *call = in_flight->calls.items[i];

		if (call->process.kill_ms || call->words.timeout_ms)
			return LOOK_MS;
		if (call->token)
			wait_ms = LOOK_MS;
	}
	return wait_ms;
}

void in_flight_attend(struct in_flight *in_flight, FILE *out)
{
	for (size_t i = 0; i < in_flight->calls.count; i++) {
		struct call *call = in_flight->calls.items[i];

		process_read(&call->process);
		tell_progress(call, out);
		if (call->words.timeout_ms &&
		    process_now_ms() >= call->begin_ms + call->words.timeout_ms)
			process_stop(&call->process);
		process_press(&call->process);
	}
}

struct call *in_flight_take(struct in_flight *in_flight)
{
	for (size_t i = 0; i < in_flight->calls.count; i++) {
		struct call *call = in_flight->calls.items[i];

		if (!process_has_ended(&call->process))
			continue;
		remove_folder(call);
		in_flight->calls.items[i] = in_flight->calls.items[--in_flight->calls.count];
		return call;
	}
	return NULL;
}

void in_flight_free(struct call *call)
{
	process_free(&call->process);
	json_decref(call->id);
	json_decref(call->token);
	json_decref(call->arguments);
	free(call->uri);
	tool_words_free(&call->words);
	free(call);
}
