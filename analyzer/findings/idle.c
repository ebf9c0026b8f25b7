#include "findings/idle.h"

#include "base/vector.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Call sites of a cause whose lines are looked up: several can be of one line. */
enum { LOOKED_UP = 64 };

/* Pieces with one cause between the same call sites. */
struct pieces {
	enum idle_cause cause;
	const struct trace_call *from, *call; /* of the first of them */
	const struct trace_operation *last;   /* that ended their gap so far */
	int64_t ns;
	double gap_count; /* of a sample: times their weights */
};

struct collecting {
	const struct trace *trace;
	struct idle_table *table;
	struct map pairs;   /* of call sites: a number each */
	struct map by_pair; /* number and cause: index in pieces */
	VECTOR(struct pieces) pieces;
};

/* 0: unknown. */
static uint64_t site_number(const struct trace *trace, const struct trace_call *call)
{
	return call && call->form->site ? (uint64_t)(call->form->site - trace->sites) + 1 : 0;
}

static struct pieces *pieces_of(struct collecting *collecting, const struct idle_piece *piece)
{
	uint64_t pair = site_number(collecting->trace, piece->from) << 32 |
			site_number(collecting->trace, piece->call);
	size_t number = map_find(&collecting->pairs, pair), found;
	struct pieces *pieces;

	if (number == MAP_NONE) {
		number = collecting->pairs.count;
		map_add(&collecting->pairs, pair, number);
	}
	number = number * IDLE_CAUSE_COUNT + piece->cause;
	found = map_find(&collecting->by_pair, number);
	if (found != MAP_NONE)
		return &collecting->pieces.items[found];
	map_add(&collecting->by_pair, number, collecting->pieces.count);
	pieces = vector_add(&collecting->pieces);
	*pieces = (struct pieces){piece->cause, piece->from, piece->call, NULL, 0, 0};
	return pieces;
}

static void collect_piece(void *context, const struct idle_piece *piece)
{
	struct collecting *collecting = context;
	int64_t ns = trace_recorded_ns(collecting->trace, piece->span.end_ns) -
		     trace_recorded_ns(collecting->trace, piece->span.start_ns);
	struct pieces *pieces;

	collecting->table->rows[piece->cause].ns += ns;
	if (!piece->call || !ns)
		return;
	pieces = pieces_of(collecting, piece);
	pieces->ns += ns;
	if (piece->operation != pieces->last)
		pieces->gap_count += trace_weight(collecting->trace, piece->span.start_ns);
	pieces->last = piece->operation;
}

/* By cause, the longest first. */
static int compare_pieces(const void *a, const void *b)
{
	const struct pieces *x = a, *y = b;

	if (x->cause != y->cause)
		return x->cause < y->cause ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->call > y->call) - (x->call < y->call);
}

static struct site site_of(const struct trace *trace, const struct trace_call *call)
{
	return site_describe(trace, call->form->site,
			     call->operation ? call->operation->form->name : NULL);
}

static bool is_same_line(const struct idle_line *a, const struct idle_line *b)
{
	return a->has_from == b->has_from && !site_compare(&a->site, &b->site) &&
	       (!a->has_from || !site_compare(&a->from, &b->from));
}

static int compare_lines(const void *a, const void *b)
{
	const struct idle_line *x = a, *y = b;

	return (x->ns < y->ns) - (x->ns > y->ns);
}

/* Adds to the line of the pieces among those so far, or makes one. */
static void add_to_line(const struct trace *trace, const struct pieces *pieces,
			struct idle_line *lines, size_t *count)
{
	struct idle_line line = {.ns = pieces->ns,
				 .gap_count = (size_t)llround(pieces->gap_count),
				 .site = site_of(trace, pieces->call),
				 .function = pieces->call->form->function->name,
				 .has_from = pieces->from};

	if (pieces->from)
		line.from = site_of(trace, pieces->from);
	for (size_t i = 0; i < *count; i++)
		if (is_same_line(&lines[i], &line)) {
			lines[i].ns += line.ns;
			lines[i].gap_count += line.gap_count;
			return;
		}
	lines[(*count)++] = line;
}

/* Of the pieces of one cause. */
static void find_lines(const struct trace *trace, const struct pieces *pieces, size_t piece_count,
		       struct idle_row *row)
{
	struct idle_line lines[LOOKED_UP];
	size_t count = 0;

	for (size_t i = 0; i < piece_count && i < LOOKED_UP; i++)
		add_to_line(trace, &pieces[i], lines, &count);
	if (!count)
		return;
	qsort(lines, count, sizeof(*lines), compare_lines);
	row->line_count = count < IDLE_LINES ? count : IDLE_LINES;
	memcpy(row->lines, lines, row->line_count * sizeof(*lines));
}

static void fill_table(const struct idle_walk *walk, size_t device, const struct model *model,
		       const struct headline *headline, struct idle_table *table)
{
	const struct trace *trace = model->trace;
	struct collecting collecting = {.trace = trace, .table = table};
	struct span run = {headline->origin_ns, headline->origin_ns + headline->wall_ns};
	size_t first = 0, next;

	if (trace->window_count)
		run.end_ns = trace->windows[trace->window_count - 1].end_ns;
	idle_walk_each(walk, device, run, collect_piece, &collecting);
	table->host = host_idle_build(walk, model, device, run);
	for (size_t i = 0; i < IDLE_CAUSE_COUNT; i++)
		table->idle_ns += table->rows[i].ns;
	vector_sort(&collecting.pieces, compare_pieces);
	for (; first < collecting.pieces.count; first = next) {
		const struct pieces *pieces = &collecting.pieces.items[first];

		for (next = first; next < collecting.pieces.count &&
				   collecting.pieces.items[next].cause == pieces->cause;)
			next++;
		find_lines(trace, pieces, next - first, &table->rows[pieces->cause]);
	}
	vector_free(&collecting.pieces);
	map_free(&collecting.by_pair);
	map_free(&collecting.pairs);
}

struct idle *idle_build(const struct observed *observed, const struct headline *headline)
{
	const struct model *model = observed->model;
	struct idle *idle = memory_array(1, sizeof(*idle));
	struct idle_walk *walk =
		idle_walk_create(observed->model, observed->timeline, observed->evidence);

	fill_table(walk, IDLE_ALL_DEVICES, model, headline, &idle->all);
	idle->device_count = model->device_count > 1 ? model->device_count : 0;
	idle->devices = memory_array(idle->device_count, sizeof(*idle->devices));
	for (size_t i = 0; i < idle->device_count; i++) {
		idle->devices[i].device_id = model->device_ids[i];
		fill_table(walk, i, model, headline, &idle->devices[i]);
	}
	idle_walk_free(walk);
	return idle;
}

void idle_free(struct idle *idle)
{
	if (!idle)
		return;
	for (size_t i = 0; i < idle->device_count; i++)
		host_idle_free(idle->devices[i].host);
	host_idle_free(idle->all.host);
	free(idle->devices);
	free(idle);
}

const char *idle_cause_word(enum idle_cause cause)
{
	static const char *const words[] = {
#define IDLE_CAUSE(symbol, word, text) word,
#include "replay/idle_causes.def"
	};

	return words[cause];
}

const char *idle_cause_text(enum idle_cause cause)
{
	static const char *const texts[] = {
#define IDLE_CAUSE(symbol, word, text) text,
#include "replay/idle_causes.def"
	};

	return texts[cause];
}

int64_t idle_between_operations_ns(const struct idle_table *table)
{
	return table->idle_ns - table->rows[IDLE_START].ns - table->rows[IDLE_END].ns;
}

struct idle_ranking idle_ranking_of(const struct idle_table *table)
{
	struct idle_ranking ranking = {{0}};

	for (int i = 0; i < IDLE_CAUSE_COUNT; i++) {
		int at = i;

		for (; at > 0 && table->rows[ranking.causes[at - 1]].ns < table->rows[i].ns; at--)
			ranking.causes[at] = ranking.causes[at - 1];
		ranking.causes[at] = (enum idle_cause)i;
	}
	return ranking;
}
