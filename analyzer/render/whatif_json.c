#include "render/engines.h"
#include "render/finding_text.h"
#include "render/json_parts.h"
#include "render/render.h"
#include "trace/site.h"

#include <stdlib.h>

static json_t *applied_array(const struct applied *applied)
{
	json_t *array = json_array();

	for (size_t i = 0; i < applied->count; i++) {
		const struct finding *finding = applied->findings[i];
		char *site = render_sites(applied->trace, finding);
		char *order = finding_text_order_needed(applied->trace, applied->analysis, finding);

		json_array_append_new(
			array,
			json_pack("{s:I, s:s, s:s, s:o}", "number",
				  (json_int_t)(finding - applied->analysis->findings.items) + 1,
				  "id", finding->id, "place", site, "order",
				  text_or_null(order)));
		free(order);
		free(site);
	}
	return array;
}

static json_t *wait_object(const struct trace *trace, const struct whatif *whatif)
{
	struct site site;
	json_t *object;
	char *where;

	if (!whatif->waiter)
		return json_null();
	site = site_describe(trace, whatif->waiter->form->site, NULL);
	where = render_site(trace, &site);
	object = json_pack("{s:s, s:s, s:I, s:I}", "call", whatif->waiter->form->function->name,
			   "place", where, "start_ns", (json_int_t)whatif->waits_since_ns,
			   "waited_ns", (json_int_t)whatif->waits_ns);
	free(where);
	return object;
}

/* low is the shortest time that the run may take. */
static json_t *wall_object(int64_t wall_ns, const struct stated *saved)
{
	const struct stated wall = {.low_ns = wall_ns - saved->high_ns,
				    .estimate_ns = wall_ns - saved->estimate_ns,
				    .high_ns = wall_ns - saved->low_ns};

	return interval_object(&wall);
}

bool print_whatif_json(FILE *out, const struct applied *applied)
{
	const struct whatif *whatif = &applied->whatif;
	const struct headline *after = &whatif->headline;
	int64_t wall_ns = applied->analysis->check.untraced_ns;

	return print_json(
		out, json_pack("{s:i, s:s, s:o, s:I, s:o, s:o, s:o, s:I, s:I, s:s, s:o}",
			       "schema_version", JSON_SCHEMA_VERSION, "trace", applied->trace->path,
			       "applied", applied_array(applied), "measured_ns",
			       (json_int_t)applied->analysis->headline.wall_ns, "wall_ns",
			       wall_object(wall_ns, &whatif->saved), "saved_ns",
			       interval_object(&whatif->saved), "busy_ns",
			       busy_object(after->busy_ns), "idle_ns", (json_int_t)after->idle_ns,
			       "overlapped_ns", (json_int_t)after->overlapped_ns, "busiest_engine",
			       engine_name(whatif->busiest), "longest_wait",
			       wait_object(applied->trace, whatif)));
}
