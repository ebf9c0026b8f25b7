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

	return host_kinds_moved(choosing->kinds, piece->call, choosing->kind).longest != NULL;
}

static struct work_part moved_part(const void *context, const struct trace_call *call)
{
	const struct choosing *choosing = context;
	const struct host_moved moved = host_kinds_moved(choosing->kinds, call, choosing->kind);

	return (struct work_part){moved.longest->place, moved.longest->line, moved.kept_ns,
				  moved.kept_idle_ns, moved.garbage_ns};
}

void host_kind_works_find(const struct observed *observed, enum host_kind kind,
			  struct instances *found)
{
	struct host_kinds *kinds = host_kinds_create(observed);
	const struct choosing choosing = {kinds, kind};

	if (kinds)
		works_find(observed,
			   &(struct works_wanted){is_of_kind, moved_part, kind == HOST_KIND_LOADER,
						  &choosing},
			   found);
	host_kinds_free(kinds);
}

void host_kind_works_describe(const struct observed *observed, const struct instance *instance,
			      const char *doing, char *text, size_t size)
{
	const struct host_work own = instance_detail(instance, struct host_work);
	const int64_t work_ns = instance->call->start_ns - own.since->end_ns - own.kept_ns;
	struct format work, idle, garbage;
	char collecting[64] = "";

	(void)observed;
	if (own.garbage_ns)
		snprintf(collecting, sizeof(collecting), " (%s of it collecting garbage)",
			 format_time(&garbage, own.garbage_ns));
	snprintf(text, size, "%s for %s%s between %s and %s; GPU idle for %s of it", doing,
		 format_time(&work, work_ns), collecting, own.since->form->function->name,
		 instance->call->form->function->name, format_time(&idle, own.idle_ns));
}
