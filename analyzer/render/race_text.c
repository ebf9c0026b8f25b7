#include "render/race_text.h"

#include "base/format.h"
#include "races/race_words.h"

#include <stdlib.h>

void print_race_alarm(const struct page *page, const struct trace *trace,
		      const struct analysis *analysis)
{
	char *text;

	if (!analysis->races.counts[RACE_CERTAIN])
		return;
	text = race_sentence(trace, &analysis->races.items[0]);
	page_set_style(page, PAGE_STRONG);
	print_formatted(page, "RACE:", 6, "%s", text);
	page_set_style(page, PAGE_PLAIN);
	free(text);
}

static void print_hidden(const struct page *page, const struct races *races)
{
	struct format possible, luck;

	if (!races->counts[RACE_POSSIBLE] && !races->counts[RACE_BY_LUCK])
		return;
	print_formatted(page, NULL, 0,
			"%s possible races, %s pairs in order only by luck: shown with --all.",
			format_count(&possible, races->counts[RACE_POSSIBLE]),
			format_count(&luck, races->counts[RACE_BY_LUCK]));
}

void print_races(const struct page *page, const struct trace *trace,
		 const struct analysis *analysis, bool all)
{
	const struct races *races = &analysis->races;
	const size_t shown = races_shown(races, all);

	if (!races->count)
		return;
	print_heading(page, RACE_TITLE ":");
	for (size_t i = 0; i < shown; i++) {
		const struct race *race = &races->items[i];
		char *text = race_sentence(trace, race);
		struct format times;

		print_formatted(page, ITEM_LEAD, ITEM_INDENT, "%s, %s time%s: %s",
				race_certainty_name(race->certainty),
				format_count(&times, race->count), race->count == 1 ? "" : "s",
				text);
		free(text);
	}
	if (!all)
		print_hidden(page, races);
}
