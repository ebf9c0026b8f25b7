#include "commands/export_parts.h"

#include "commands/collect.h"
#include "commands/command.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* Process ids of a file are below that of the runs after the fixes (export/perfetto.c). */
#define MOST_PROCESS  0x20000000
#define FIRST_MADE_UP 0x20000001

struct parts_making {
	struct export_parts *parts;
	char **machines; /* of each part; NULL: not known */
	struct map processes;
};

static char *copy_text(const char *text)
{
	return text ? memory_format("%s", text) : NULL;
}

/* Of another process with that number, on another machine, a number is made up. */
static uint64_t choose_process(struct parts_making *making, const struct trace *trace, size_t index)
{
	const char *text = trace_metadata(trace, "process_id");
	long number = text ? strtol(text, NULL, 10) : 0;

	if (number > 0 && number < MOST_PROCESS &&
	    map_add(&making->processes, (uint64_t)number, index))
		return (uint64_t)number;
	return FIRST_MADE_UP + index;
}

/* What cannot be read is said when it is loaded. */
static void look_at(struct parts_making *making, size_t index)
{
	struct export_part *part = &making->parts->items[index];
	char *error = NULL;
	struct trace *trace = trace_load_metadata(part->path, &error);
	const char *boot;

	free(error);
	if (!trace)
		return;
	part->process_id = choose_process(making, trace, index);
	boot = trace_metadata(trace, "boot_id");
	making->machines[index] = copy_text(boot ? boot : trace_metadata(trace, "host"));
	trace_close(trace);
}

static bool has_several_machines(const struct parts_making *making)
{
	const char *first = NULL;

	for (size_t i = 0; i < making->parts->count; i++) {
		const char *machine = making->machines[i];

		if (machine && first && strcmp(machine, first) != 0)
			return true;
		first = machine ? machine : first;
	}
	return false;
}

static void compare_clocks(struct export_parts *parts)
{
	const struct collect_options options = {0};
	const char **paths = memory_array(parts->count, sizeof(*paths));

	for (size_t i = 0; i < parts->count; i++)
		paths[i] = parts->items[i].path;
	parts->job = collect_job(&options, paths, parts->count);
	parts->clocks = machine_clocks_compare(&parts->job->clocks);
	free(paths);
}

/* Says of each machine why it is left out. */
static void say_left_out(const struct machine_clocks *clocks)
{
	for (size_t i = 0; i < clocks->count; i++) {
		char *why = machine_clock_is_known(&clocks->items[i])
				    ? NULL
				    : machine_clocks_describe(clocks, i);

		if (why)
			command_note("left out: %s", why);
		free(why);
	}
}

/* Whether none is left out. */
static bool keep_compared(struct parts_making *making)
{
	struct export_parts *parts = making->parts;
	size_t kept = 0, count = parts->count;

	for (size_t i = 0; i < count; i++) {
		const char *machine = making->machines[i] ? making->machines[i] : "";
		const struct machine_clock *clock = machine_clocks_find(&parts->clocks, machine);

		/* One that could not be read has none. */
		if (clock && !machine_clock_is_known(clock))
			continue;
		parts->items[kept] = parts->items[i];
		parts->items[kept++].clock = clock;
	}
	parts->count = kept;
	return kept == count;
}

bool export_parts_find(struct export_parts *parts, const struct operands *traces, bool needs_clocks)
{
	struct parts_making making = {.parts = parts};
	bool is_whole = true;

	*parts = (struct export_parts){
		.items = memory_array(traces->count, sizeof(*parts->items)),
		.count = traces->count,
	};
	making.machines = memory_array(traces->count, sizeof(*making.machines));
	for (size_t i = 0; i < traces->count; i++) {
		parts->items[i].path = traces->paths[i];
		if (traces->count > 1)
			look_at(&making, i);
	}
	if (needs_clocks && has_several_machines(&making)) {
		compare_clocks(parts);
		say_left_out(&parts->clocks);
		is_whole = keep_compared(&making);
	}
	for (size_t i = 0; i < traces->count; i++)
		free(making.machines[i]);
	free(making.machines);
	map_free(&making.processes);
	return is_whole;
}

void export_parts_free(struct export_parts *parts)
{
	machine_clocks_free(&parts->clocks);
	job_free(parts->job);
	free(parts->items);
	*parts = (struct export_parts){0};
}
