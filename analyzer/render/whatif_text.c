#include "base/format.h"
#include "render/engines.h"
#include "render/finding_text.h"
#include "render/page.h"
#include "render/render.h"
#include "trace/site.h"

#include <stdlib.h>

/* A line a fix: "4. serial-stream at app.cu:30". */
static void print_fixes(const struct page *page, const struct applied *applied)
{
	if (!applied->count)
		print_wrapped(page, "fixes", FIELD_INDENT, "none: the report has no findings");
	for (size_t i = 0; i < applied->count; i++) {
		const struct finding *finding = applied->findings[i];
		char *site = render_sites(applied->trace, finding);

		print_formatted(page, i ? "" : "fixes", FIELD_INDENT, "%zu. %s at %s",
				(size_t)(finding - applied->analysis->findings.items) + 1,
				finding->id, site);
		free(site);
	}
}

/* What the fixes would make a race of. */
static void print_orders(const struct page *page, const struct applied *applied)
{
	for (size_t i = 0; i < applied->count; i++) {
		const struct finding *finding = applied->findings[i];
		char *order = finding_text_order_needed(applied->trace, applied->analysis, finding);

		if (order)
			print_formatted(page, i ? "" : "needs", FIELD_INDENT, "fix %zu needs %s.",
					(size_t)(finding - applied->analysis->findings.items) + 1,
					order);
		free(order);
	}
}

static void print_times(const struct page *page, const struct analysis *analysis,
			const struct stated *saved)
{
	int64_t wall_ns = analysis->check.untraced_ns;
	struct format measured, fixed, range, saving, percent;

	print_formatted(
		page, "wall time", FIELD_INDENT,
		"%s with the fixes (range %s); %s %s: saves %s (%s)",
		format_time(&fixed, wall_ns - saved->estimate_ns),
		format_time_range(&range, wall_ns - saved->high_ns, wall_ns - saved->low_ns),
		analysis->check.has_untraced ? "without, untraced" : "measured",
		format_time(&measured, wall_ns), format_time(&saving, saved->estimate_ns),
		format_percent(&percent, saved->estimate_ns, wall_ns));
}

static void print_binding(const struct page *page, const struct trace *trace,
			  const struct whatif *whatif)
{
	int64_t busy_ns = whatif->headline.busy_ns[whatif->busiest];
	struct format busy, percent, waits, since;
	struct site site;
	char *where;

	print_formatted(page, NULL, 0, "Busiest engine with the fixes: %s, %s (%s of the run).",
			engine_name(whatif->busiest), format_time(&busy, busy_ns),
			format_percent(&percent, busy_ns, whatif->headline.wall_ns));
	if (!whatif->waiter) {
		print_wrapped(page, NULL, 0, "No call waits with the fixes.");
		return;
	}
	site = site_describe(trace, whatif->waiter->form->site, NULL);
	where = render_site(trace, &site);
	print_formatted(page, NULL, 0, "Longest wait with the fixes: %s at %s, %s from %s on.",
			whatif->waiter->form->function->name, where,
			format_time(&waits, whatif->waits_ns),
			format_time(&since, whatif->waits_since_ns));
	free(where);
}

bool print_whatif_text(FILE *out, const struct applied *applied)
{
	struct page page = page_open(out);

	print_wrapped(&page, "trace", FIELD_INDENT, applied->trace->path);
	print_fixes(&page, applied);
	print_orders(&page, applied);
	print_times(&page, applied->analysis, &applied->whatif.saved);
	fputc('\n', out);
	if (!print_engines(&page, &applied->whatif.headline))
		return false;
	fputc('\n', out);
	print_binding(&page, applied->trace, &applied->whatif);
	return true;
}
