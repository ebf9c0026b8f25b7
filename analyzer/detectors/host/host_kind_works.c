#include "detectors/host/host_kind_works.h"

#include "detectors/host/workers.h"
#include "detectors/host/works.h"

#include <stdio.h>

struct choosing {
	const struct host_kinds *kinds;
	enum host_kind kind;
};

static bool is_of_kind(const void *context, const struct idle_piece *piece)
{
	const struct choosing *choosing = context;

	return host_kinds_main_part(choosing->kinds, piece->call, choosing->kind) != NULL;
}

static struct host_place place_of_part(const void *context, const struct trace_call *call)
{
	const struct choosing *choosing = context;

	return host_kinds_main_part(choosing->kinds, call, choosing->kind)->place;
}

static uint32_t line_of_part(const void *context, const struct trace_call *call)
{
	const struct choosing *choosing = context;

	return host_kinds_main_part(choosing->kinds, call, choosing->kind)->line;
}

void host_kind_works_find(const struct observed *observed, enum host_kind kind,
			  struct instances *found)
{
	struct host_kinds *kinds = host_kinds_create(observed);
	const struct choosing choosing = {kinds, kind};

	if (kinds)
		works_find(
			observed,
			&(struct works_wanted){is_of_kind, place_of_part, line_of_part, &choosing},
			found);
	host_kinds_free(kinds);
}

void host_kind_works_describe(const struct observed *observed, const struct instance *instance,
			      const char *doing, char *text, size_t size)
{
	const struct host_work own = instance_detail(instance, struct host_work);
	struct format work, idle;

	(void)observed;
	snprintf(text, size, "%s for %s between %s and %s; GPU idle for %s of it", doing,
		 format_time(&work, instance->call->start_ns - own.since->end_ns),
		 own.since->form->function->name, instance->call->form->function->name,
		 format_time(&idle, own.idle_ns));
}
