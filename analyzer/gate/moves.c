#include "gate/moves.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Loops that end by their data differ by a few turns. */
#define TOLERANCE 0.01

static bool is_near(double a, double b)
{
	return fabs(a - b) <= TOLERANCE * fmax(a, b);
}

/* Kinds are in the order in which they were found: the same set can be in another. */
static bool has_kinds(const struct gate_finding *finding, const struct gate_finding *other)
{
	for (size_t i = 0; i < other->kinds.count; i++) {
		size_t k = 0;

		while (k < finding->kinds.count &&
		       strcmp(finding->kinds.items[k], other->kinds.items[i]) != 0)
			k++;
		if (k == finding->kinds.count)
			return false;
	}
	return true;
}

static bool is_same(const struct move *gone, const struct move *now)
{
	return !strcmp(gone->finding->id, now->finding->id) && is_near(gone->count, now->count) &&
	       is_near(gone->bytes, now->bytes) && has_kinds(gone->finding, now->finding) &&
	       has_kinds(now->finding, gone->finding);
}

static void pair_row(struct gate *gate, const struct move *now, const move_vector *moves,
		     bool *is_paired)
{
	struct gate_row *row = &gate->rows.items[now->row];

	for (size_t i = 0; i < moves->count; i++) {
		const struct move *gone = &moves->items[i];

		if (gate->rows.items[gone->row].verdict != GATE_GONE || is_paired[gone->row] ||
		    !is_same(gone, now))
			continue;
		is_paired[gone->row] = true;
		row->verdict = GATE_MOVED;
		row->fails = false;
		row->moved_from = gate->rows.items[gone->row].place.name;
		return;
	}
}

void moves_pair(struct gate *gate, const move_vector *moves)
{
	bool *is_paired = memory_array(gate->rows.count, sizeof(*is_paired));
	size_t kept = 0;

	for (size_t i = 0; i < moves->count; i++)
		if (gate->rows.items[moves->items[i].row].verdict == GATE_NEW)
			pair_row(gate, &moves->items[i], moves, is_paired);
	for (size_t i = 0; i < gate->rows.count; i++)
		if (!is_paired[i])
			gate->rows.items[kept++] = gate->rows.items[i];
	gate->rows.count = kept;
	free(is_paired);
}
