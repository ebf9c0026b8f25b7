#include "replay/host_idle.h"

#include "base/vector.h"
#include "model/model.h"

#include <stdlib.h>

/* Time between calls of two call sites: seen in a row, or between looks. */
struct share {
	size_t pair; /* a number for the two call sites */
	uint32_t row;
	int64_t ns;
};

struct shares {
	struct share *items;
	size_t count, capacity;
	struct map by_key; /* pair and row: index in items */
};

/* Two call sites. */
struct pair {
	uint32_t doing, thread_id; /* of the second one's line; of the first call there */
};

struct dividing {
	const struct trace *trace;
	const struct host_record *work;
	const struct host_chains *chains;
	VECTOR(struct host_idle_row) rows;
	VECTOR(struct host_idle_part) parts;
	VECTOR(size_t) last_pieces; /* by row: the number of the piece that it was seen in last */
	/* By doing: its row, or HOST_NOT_SEEN. The last is that of HOST_NOT_SEEN. */
	uint32_t *row_of;
	struct map by_sites;
	VECTOR(struct pair) pairs;
	struct shares seen, between;
	const struct idle_piece *piece; /* that is being divided */
	size_t number, pair;		/* of it, and of its call sites: in pairs */
};

static uint32_t row_of(struct dividing *dividing, uint32_t doing)
{
	uint32_t *row =
		&dividing->row_of[doing == HOST_NOT_SEEN ? dividing->work->doing_count : doing];

	if (*row == HOST_NOT_SEEN) {
		*row = (uint32_t)dividing->rows.count;
		*vector_add(&dividing->rows) = (struct host_idle_row){.doing = doing};
		*vector_add(&dividing->last_pieces) = 0;
	}
	return *row;
}

/* Threads are told apart by their ids' last bits. */
static void note_thread(struct host_idle_row *row, uint32_t thread_id)
{
	uint64_t bit = UINT64_C(1) << thread_id % 64;

	if (!row->thread_count)
		row->thread_id = thread_id;
	row->thread_count += !(row->threads & bit);
	row->threads |= bit;
}

/* The row of the line at work, for time in which nobody looked. */
static uint32_t row_of_line(struct dividing *dividing, uint32_t doing, uint32_t thread_id)
{
	const uint32_t row = row_of(dividing, doing);

	note_thread(&dividing->rows.items[row], thread_id);
	return row;
}

/* Adds to the sum of the pair and the row. */
static void add_share(struct shares *shares, size_t pair, uint32_t row, int64_t ns)
{
	uint64_t key = (uint64_t)pair << 32 | row;
	size_t found = map_find(&shares->by_key, key);

	if (found == MAP_NONE) {
		found = shares->count;
		map_add(&shares->by_key, key, found);
		*vector_add(shares) = (struct share){pair, row, 0};
	}
	shares->items[found].ns += ns;
}

/* A piece has several parts of one row, if that was not all that it had. */
static void note_gap(struct dividing *dividing, uint32_t row)
{
	if (dividing->last_pieces.items[row] != dividing->number)
		dividing->rows.items[row].gap_count +=
			trace_weight(dividing->trace, dividing->piece->span.start_ns);
	dividing->last_pieces.items[row] = dividing->number;
}

static void add_seen(struct dividing *dividing, const struct host_piece *found, int64_t ns)
{
	uint32_t index = row_of(dividing, found->doing);
	struct host_idle_row *row = &dividing->rows.items[index];
	double faults = host_faults_in(found->state, found->span);

	row->seen_ns += ns;
	row->ready_ns += trace_weigh_ns(dividing->trace, found->span.start_ns,
					host_ready_ns_in(found->state, found->span));
	if (faults > 0)
		row->faults += faults * trace_weight(dividing->trace, found->span.start_ns);
	note_thread(row, found->state->thread_id);
	note_gap(dividing, index);
	add_share(&dividing->seen, dividing->pair, index, ns);
	*vector_add(&dividing->parts) = (struct host_idle_part){.span = found->span,
								.row = index,
								.state = found->state,
								.from = dividing->piece->from,
								.call = dividing->piece->call};
	if (host_is_wait_for_thread(dividing->work->doings[found->doing].state))
		host_others_add(&row->others, dividing->work, found->state, found->span);
}

/* The time led to the call, or passed in it. */
static void add_unseen(struct dividing *dividing, const struct trace_call *call, int64_t ns)
{
	add_share(&dividing->seen, dividing->pair,
		  row_of_line(dividing, host_doing_of_call(dividing->work, call),
			      call->form->thread_id),
		  ns);
}

static void take_found(void *context, const struct host_piece *found)
{
	struct dividing *dividing = context;
	int64_t ns =
		trace_recorded_between(dividing->trace, found->span.start_ns, found->span.end_ns);

	if (found->kind == HOST_SEEN || found->kind == HOST_AWAITING)
		add_seen(dividing, found, ns);
	else if (found->kind == HOST_BETWEEN_LOOKS)
		add_share(&dividing->between, dividing->pair, 0, ns);
	else
		add_unseen(dividing, found->call ? found->call : dividing->piece->call, ns);
}

static uint64_t site_number(const struct trace *trace, const struct trace_call *call)
{
	return call && call->form->site ? (uint64_t)(call->form->site - trace->sites) + 1 : 0;
}

static void take_piece(void *context, const struct idle_piece *piece)
{
	struct dividing *dividing = context;
	uint64_t key;

	if (piece->cause != IDLE_HOST_WORK || !piece->call)
		return;
	key = site_number(dividing->trace, piece->from) << 32 |
	      site_number(dividing->trace, piece->call);
	dividing->piece = piece;
	dividing->number++;
	dividing->pair = map_find(&dividing->by_sites, key);
	if (dividing->pair == MAP_NONE) {
		dividing->pair = dividing->pairs.count;
		map_add(&dividing->by_sites, key, dividing->pair);
		*vector_add(&dividing->pairs) =
			(struct pair){host_doing_of_call(dividing->work, piece->call),
				      piece->call->form->thread_id};
	}
	host_chains_each(dividing->chains, piece->call->form->thread_id, piece->span, take_found,
			 dividing);
}

/* By pair, the longest first. */
static int compare_shares(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->pair != y->pair)
		return x->pair < y->pair ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->row > y->row) - (x->row < y->row);
}

/* Divides what passed between looks in proportion to the shares of its pair; what rounding leaves
 * goes to the longest. Without shares it is of the line that made the second call. */
static void divide_between(struct dividing *dividing, const struct share *between, size_t first,
			   size_t end)
{
	const struct share *shares = dividing->seen.items;
	int64_t all_ns = 0, left_ns = between->ns;

	for (size_t i = first; i < end; i++)
		all_ns += shares[i].ns;
	if (!all_ns) {
		const struct pair *pair = &dividing->pairs.items[between->pair];
		const uint32_t row = row_of_line(dividing, pair->doing, pair->thread_id);

		dividing->rows.items[row].ns += left_ns; /* row_of_line() may move the rows */
		return;
	}
	for (size_t i = first; i < end; i++) {
		int64_t ns = (int64_t)((double)between->ns * (double)shares[i].ns / (double)all_ns);

		ns = ns < left_ns ? ns : left_ns;
		dividing->rows.items[shares[i].row].ns += ns;
		left_ns -= ns;
	}
	dividing->rows.items[shares[first].row].ns += left_ns;
}

static void settle_rows(struct dividing *dividing)
{
	size_t at = 0, end;

	vector_sort(&dividing->seen, compare_shares);
	vector_sort(&dividing->between, compare_shares);
	for (size_t i = 0; i < dividing->seen.count; i++)
		dividing->rows.items[dividing->seen.items[i].row].ns += dividing->seen.items[i].ns;
	for (size_t i = 0; i < dividing->between.count; i++) {
		const struct share *between = &dividing->between.items[i];

		while (at < dividing->seen.count && dividing->seen.items[at].pair < between->pair)
			at++;
		for (end = at;
		     end < dividing->seen.count && dividing->seen.items[end].pair == between->pair;)
			end++;
		divide_between(dividing, between, at, end);
	}
}

/* Rows, as indexes, by their time. */
static int compare_rows(const void *a, const void *b)
{
	const struct host_idle_row *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->doing > y->doing) - (x->doing < y->doing);
}

static int compare_parts(const void *a, const void *b)
{
	const struct host_idle_part *x = a, *y = b;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return (x->span.start_ns > y->span.start_ns) - (x->span.start_ns < y->span.start_ns);
}

static uint32_t *row_by_doing(struct dividing *dividing, uint32_t doing)
{
	return &dividing->row_of[doing == HOST_NOT_SEEN ? dividing->work->doing_count : doing];
}

static void order_rows(struct dividing *dividing)
{
	uint32_t *doings = memory_array(dividing->rows.count, sizeof(*doings));

	for (size_t i = 0; i < dividing->rows.count; i++) {
		doings[i] = dividing->rows.items[i].doing;
		host_others_sort(&dividing->rows.items[i].others);
	}
	vector_sort(&dividing->rows, compare_rows);
	for (size_t i = 0; i < dividing->rows.count; i++)
		*row_by_doing(dividing, dividing->rows.items[i].doing) = (uint32_t)i;
	for (size_t i = 0; i < dividing->parts.count; i++)
		dividing->parts.items[i].row =
			*row_by_doing(dividing, doings[dividing->parts.items[i].row]);
	vector_sort(&dividing->parts, compare_parts);
	for (size_t i = dividing->parts.count; i-- > 0;) {
		struct host_idle_row *row = &dividing->rows.items[dividing->parts.items[i].row];

		row->first = i;
		row->part_count++;
	}
	free(doings);
}

struct host_idle *host_idle_build(const struct idle_walk *walk, const struct model *model,
				  size_t device, struct span run)
{
	struct dividing dividing = {
		.trace = model->trace, .work = model->host, .chains = model->host_chains};
	struct host_idle *idle;

	if (!model->host)
		return NULL;
	idle = memory_array(1, sizeof(*idle));
	dividing.row_of = memory_array(model->host->doing_count + 1, sizeof(*dividing.row_of));
	for (uint32_t i = 0; i <= model->host->doing_count; i++)
		dividing.row_of[i] = HOST_NOT_SEEN;
	idle_walk_each(walk, device, run, take_piece, &dividing);
	settle_rows(&dividing);
	order_rows(&dividing);
	for (size_t i = 0; i < dividing.rows.count; i++)
		idle->ns += dividing.rows.items[i].ns;
	vector_move(&dividing.rows, idle->rows, idle->row_count);
	vector_move(&dividing.parts, idle->parts, idle->part_count);
	vector_free(&dividing.last_pieces);
	vector_free(&dividing.between);
	vector_free(&dividing.seen);
	map_free(&dividing.between.by_key);
	map_free(&dividing.seen.by_key);
	map_free(&dividing.by_sites);
	vector_free(&dividing.pairs);
	free(dividing.row_of);
	return idle;
}

void host_idle_free(struct host_idle *idle)
{
	if (!idle)
		return;
	for (size_t i = 0; i < idle->row_count; i++)
		host_others_free(&idle->rows[i].others);
	free(idle->parts);
	free(idle->rows);
	free(idle);
}
