#include "export/perfetto_states.h"

#include "export/perfetto_slices.h"
#include "render/host_text.h"

#include <stdlib.h>

static uint64_t track_of_states(const struct group *group, uint32_t thread_id)
{
	return track_of(group, TRACK_OF_STATES, thread_id);
}

static void write_track(const struct group *group, uint32_t thread_id)
{
	size_t track = perfetto_begin_track(group, track_of_states(group, thread_id), "state");

	protobuf_number(&group->packets->packet, TRACK_PARENT,
			track_of(group, TRACK_OF_THREAD, thread_id));
	perfetto_end_track(group, track);
}

/* Nothing where the text is NULL. */
static void write_text(const struct group *group, const char *name, const char *text)
{
	if (text)
		perfetto_write_text(group, name, text);
}

static void write_count(const struct group *group, const char *name, int64_t count)
{
	if (count > 0)
		perfetto_write_number(group, name, (uint64_t)count);
}

static void write_state(const struct group *group, const struct host_record *record,
			const struct trace_host_state *state)
{
	const struct host_texts texts = {record->trace, record, false};
	const uint32_t number = host_doing_of(record, state);
	const struct host_doing *doing = &record->doings[number];
	const uint64_t track = track_of_states(group, state->thread_id);
	const char *name = host_state_text(&texts, number);
	char *line = state->site ? host_place(&texts, &doing->site) : NULL;
	size_t part;

	packet_begin(group->packets, state->start_ns);
	part = perfetto_begin_slice(group, track, state->start_ns,
				    packets_name(group->packets, packets_key(name), name));
	write_text(group, "line", line);
	write_text(group, "called", doing->called);
	write_text(group, "object", doing->name);
	write_count(group, "looks", state->looks);
	write_count(group, "ready_ns", state->ready_ns);
	write_count(group, "faults", state->faults);
	if (doing->site.file || doing->site.function)
		protobuf_number(&group->packets->packet, EVENT_CALLSTACK_IID,
				packets_callstack(group->packets, packets_key(doing),
						  doing->site.function, doing->site.file,
						  doing->site.line));
	perfetto_end_slice(group, part, track, state->end_ns);
	free(line);
}

void perfetto_write_states(const struct group *group)
{
	const struct trace *trace = group->trace;
	const struct host_record *record = group->observed->model->host;

	for (size_t i = 0; i < trace->host_state_count && !ferror(group->packets->out); i++) {
		const struct trace_host_state *state = &trace->host_states[i];

		if (!i || state[-1].thread_id != state->thread_id)
			write_track(group, state->thread_id);
		write_state(group, record, state);
	}
}
