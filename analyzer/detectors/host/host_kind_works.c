#include "detectors/host/host_kind_works.h"

#include "base/thresholds.h"
#include "detectors/host/workers.h"
#include "detectors/host/works.h"

#include <stdio.h>

struct choosing {
	const struct host_kinds *kinds;
	enum host_kind kind;
};

/* What others can do ahead. The rest stays with the thread: fixes of its kinds remove it. */
static bool is_moved(enum host_kind kind)
{
	return kind == HOST_KIND_WORK || kind == HOST_KIND_LOADER || kind == HOST_KIND_FILE;
}

/* All parts that can be moved go together, for the kind that takes more than half of their time. */
static bool is_of_kind(const void *context, const struct idle_piece *piece, struct work_part *moved)
{
	const struct choosing *choosing = context;
	const struct host_part *parts, *longest = NULL;
	int64_t of_kind_ns = 0, moved_ns = 0;
	size_t count;

	parts = host_kinds_before(choosing->kinds, piece->call, &count);
	for (size_t i = 0; i < count; i++) {
		if (!is_moved(parts[i].kind)) {
			moved->kept_ns += parts[i].ns;
			moved->kept_idle_ns += parts[i].idle_ns;
			continue;
		}
		moved_ns += parts[i].ns;
		moved->garbage_ns += parts[i].garbage_ns;
		of_kind_ns += parts[i].kind == choosing->kind ? parts[i].ns : 0;
		if (!longest && parts[i].kind == choosing->kind)
			longest = &parts[i];
	}
	if (2 * of_kind_ns <= moved_ns || moved_ns < SEQUENCE_WORK_NS)
		return false;
	moved->place = longest->place;
	moved->line = longest->line;
	return true;
}

void host_kind_works_find(const struct observed *observed, enum host_kind kind,
			  struct instances *found)
{
	struct host_kinds *kinds = host_kinds_create(observed);
	const struct choosing choosing = {kinds, kind};

	if (kinds)
		works_find(observed,
			   &(struct works_wanted){is_of_kind, true, kind == HOST_KIND_LOADER,
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
