#include "gate/sides.h"

#include "gate/compare.h"
#include "gate/gate_texts.h"

#include <stdlib.h>
#include <string.h>

/* Whether base has one. */
static bool note_doubts(struct gate *gate, const struct sides *sides)
{
	bool is_doubtful = false;

	for (size_t i = 0; i < gate->path_count; i++) {
		const struct gate_run *run = sides->runs[i];

		for (size_t k = 0; k < run->doubts.count; k++)
			gate_add_note(gate, GATE_DOUBT,
				      text_format(&gate->arena, "%s: %s", run->path,
						  run->doubts.items[k]));
		if (i < gate->base_count)
			is_doubtful |= run->doubts.count > 0;
	}
	return is_doubtful;
}

/* Whether the report of one of the runs lists a finding at a bare address. */
static bool has_addresses(const struct sides *sides, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		for (size_t k = 0; k < sides->runs[i]->findings.count; k++) {
			const struct gate_finding *finding = &sides->runs[i]->findings.items[k];

			if (finding->is_shown && finding->is_address)
				return true;
		}
	return false;
}

/* If only one side has names of functions, no finding of it can match one of the other side. */
static bool doubt_names(struct gate *gate, const struct sides *sides)
{
	bool in_base = has_addresses(sides, 0, gate->base_count);

	if (in_base == has_addresses(sides, gate->base_count, gate->path_count))
		return false;
	gate_add_note(
		gate, GATE_DOUBT,
		text_format(&gate->arena,
			    "findings of %s are at addresses without a function or line: trace "
			    "both sides with debug information and streamtrace run",
			    in_base ? "base" : "head"));
	return true;
}

/* Said only where both are known: an import has no command line. */
static void note_difference(struct gate *gate, const char *what, const char *base, const char *head)
{
	if (base && head && strcmp(base, head) != 0)
		gate_add_note(gate, GATE_DIFFERENCE,
			      text_format(&gate->arena, "different %s: base %s, head %s", what,
					  *base ? base : "none", *head ? head : "none"));
}

/* What makes them two programs, inputs or devices. */
static void note_differences(struct gate *gate, const struct sides *sides)
{
	const struct gate_run *base = sides->runs[0], *head = sides->runs[gate->base_count];
	double scale = sides->scales[gate->base_count];

	note_difference(gate, "programs", base->program, head->program);
	note_difference(gate, "arguments", base->words, head->words);
	note_difference(gate, "GPUs", base->device, head->device);
	note_difference(gate, "CUDA drivers", base->driver, head->driver);
	if (base->work.count && head->work.count && !scale_is_known(&head->work, &base->work))
		gate_add_note(gate, GATE_DIFFERENCE,
			      "different work: no kernel or copy is in both");
	else if (scale > 1.01 || scale < 0.99)
		gate_add_note(gate, GATE_DIFFERENCE,
			      text_format(&gate->arena,
					  "different input: the GPU ran %.4g times as much in head "
					  "as in base: counts, bytes and times are per operation",
					  scale));
}

/* Where some rank has too few traces. */
static void note_times(struct gate *gate, const struct gate_rules *rules, const struct ranks *ranks)
{
	size_t base = gate->base_count, head = gate->path_count - base;

	for (size_t i = 0; i < ranks->items.count; i++) {
		const struct rank *rank = &ranks->items.items[i];

		if (!rank_is_pair(rank))
			continue;
		base = rank->base_count < base ? rank->base_count : base;
		head = rank->head_count < head ? rank->head_count : head;
	}
	if (compare_has_times(&(struct compare_side){.count = base},
			      &(struct compare_side){.count = head}))
		return;
	gate_add_note(
		gate, rules->needs_times ? GATE_DOUBT : GATE_INFO,
		text_format(&gate->arena,
			    "%stimes of findings are not compared: that needs %d traces of "
			    "each side%s, there are %zu and %zu",
			    base == 1 && head == 1 ? "one run each says nothing of the spread; "
						   : "",
			    COMPARE_RUNS, ranks->items.count > 1 ? " and rank" : "", base, head));
}

/* Of the ranks that one side has and the other not. */
static void note_missing(struct gate *gate, const struct ranks *ranks, bool is_head)
{
	bool *is_chosen = memory_array(ranks->items.count, sizeof(*is_chosen)), is_one = false;

	for (size_t i = 0; i < ranks->items.count; i++) {
		const struct rank *rank = &ranks->items.items[i];

		is_chosen[i] = !(is_head ? rank->head_count : rank->base_count);
		is_one |= is_chosen[i];
	}
	if (is_one)
		gate_add_note(gate, GATE_DOUBT,
			      text_format(&gate->arena, "%s has no trace of %s",
					  is_head ? "head" : "base",
					  ranks_describe(ranks, is_chosen, &gate->arena)));
	free(is_chosen);
}

bool sides_note(struct gate *gate, const struct gate_rules *rules, const struct sides *sides)
{
	bool is_doubtful = note_doubts(gate, sides);

	is_doubtful |= doubt_names(gate, sides);
	note_differences(gate, sides);
	note_times(gate, rules, sides->ranks);
	note_missing(gate, sides->ranks, false);
	note_missing(gate, sides->ranks, true);
	return is_doubtful;
}
