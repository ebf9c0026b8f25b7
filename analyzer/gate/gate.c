#include "gate/gate.h"

#include "gate/allowed.h"
#include "gate/gate_texts.h"

#include <string.h>

const struct gate_verdict_row gate_verdicts[GATE_VERDICT_COUNT] = {
#define GATE_VERDICT(symbol, word, baseline, meaning) [GATE_##symbol] = {word, baseline, meaning},
#include "gate/verdicts.def"
#undef GATE_VERDICT
};

void gate_add_note(struct gate *gate, enum gate_level level, const char *text)
{
	for (size_t i = 0; i < gate->notes.count; i++)
		if (!strcmp(gate->notes.items[i].text, text))
			return;
	*vector_add(&gate->notes) = (struct gate_note){.level = level, .text = text};
}

/* What fails first, then by verdict, then what costs most. */
static int compare_rows(const void *a, const void *b)
{
	const struct gate_row *x = a, *y = b;

	if (x->fails != y->fails)
		return x->fails ? -1 : 1;
	if (x->verdict != y->verdict)
		return (int)x->verdict - (int)y->verdict;
	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	return strcmp(x->identity, y->identity);
}

static void note_unused(struct gate *gate, const struct allowed *allowed)
{
	size_t index = 0;
	const struct allowed_entry *entry;

	while ((entry = allowed_unused(allowed, &index)))
		*vector_add(&gate->notes) = (struct gate_note){
			.level = GATE_WARNING,
			.text = text_format(&gate->arena,
					    "%s:%d: nothing matches %s %s: remove it, or is its "
					    "finding hidden by another?",
					    allowed->path, entry->line, entry->id, entry->place),
			.place = {.file = text_format(&gate->arena, "%s", allowed->path),
				  .line = entry->line}};
}

void gate_finish(struct gate *gate, const struct gate_rules *rules)
{
	if (rules->allowed)
		note_unused(gate, rules->allowed);
	vector_sort(&gate->rows, compare_rows);
	gate->status = GATE_PASSED;
	for (size_t i = 0; i < gate->notes.count; i++)
		if (gate->notes.items[i].level == GATE_DOUBT)
			gate->status = GATE_UNDETERMINED;
	for (size_t i = 0; i < gate->rows.count; i++)
		if (gate->rows.items[i].fails)
			gate->status = GATE_FAILED;
}

const char *gate_summary(const struct gate *gate, struct arena *arena)
{
	size_t failures = 0, doubts = 0;

	for (size_t i = 0; i < gate->rows.count; i++)
		failures += gate->rows.items[i].fails;
	for (size_t i = 0; i < gate->notes.count; i++)
		doubts += gate->notes.items[i].level == GATE_DOUBT;
	if (gate->status == GATE_FAILED)
		return text_format(arena, "failed: %zu finding%s", failures,
				   failures == 1 ? "" : "s");
	if (gate->status == GATE_UNDETERMINED)
		return text_format(arena, "inconclusive: %zu reason%s", doubts,
				   doubts == 1 ? "" : "s");
	return gate->base_count ? "passed: nothing is new or worse" : "passed";
}

void gate_free(struct gate *gate)
{
	vector_free(&gate->rows);
	vector_free(&gate->notes);
	arena_free(&gate->arena);
}
