#include "model/host_chain.h"

#include "base/minmax.h"
#include "base/vector.h"

struct host_chains {
	const struct host_record *record;
	bool has_head;
	uint32_t head;	    /* the program's thread */
	struct map serving; /* ids of threads that serve it */
};

/* What is known of a thread. */
struct summary {
	uint32_t id;
	size_t enqueued;      /* calls that enqueued something, with a known stack */
	uint64_t own_looks;   /* at own code */
	uint64_t futex_looks; /* waiting for a thread */
	double outside_looks; /* waiting outside, while the head did not wait for a thread */
};

struct summaries {
	VECTOR(struct summary) list;
	struct map by_id;
};

static struct summary *summary_of(struct summaries *all, uint32_t id)
{
	size_t index = map_find(&all->by_id, id);

	if (index == MAP_NONE) {
		index = all->list.count;
		map_add(&all->by_id, id, index);
		*vector_add(&all->list) = (struct summary){.id = id};
	}
	return &all->list.items[index];
}

static void note_state(const struct host_record *record, struct summary *summary,
		       const struct trace_host_state *state)
{
	if (host_site_is_own(record, state->site))
		summary->own_looks += state->looks;
	if (host_is_wait_for_thread(state->state))
		summary->futex_looks += state->looks;
}

static struct summaries summarize_threads(const struct host_record *record)
{
	const struct trace *trace = record->trace;
	struct summaries all = {0};

	for (size_t i = 0; i < trace->host_state_count; i++)
		note_state(record, summary_of(&all, trace->host_states[i].thread_id),
			   &trace->host_states[i]);
	for (size_t i = 0; i < trace->call_count; i++) {
		const struct trace_call_form *form = trace->calls[i].form;

		if (trace->calls[i].operation && form->site)
			summary_of(&all, form->thread_id)->enqueued++;
	}
	return all;
}

static void find_head(struct host_chains *chains, const struct summaries *all)
{
	const struct summary *best = NULL;

	for (size_t i = 0; i < all->list.count; i++) {
		const struct summary *summary = &all->list.items[i];

		if (!host_has_own_code(chains->record, summary->id))
			continue;
		if (!best || summary->enqueued > best->enqueued ||
		    (summary->enqueued == best->enqueued && summary->own_looks > best->own_looks))
			best = summary;
	}
	chains->has_head = best != NULL;
	chains->head = best ? best->id : 0;
}

static bool is_framework(const struct host_chains *chains, const struct summary *summary)
{
	return summary->enqueued && !host_has_own_code(chains->record, summary->id);
}

static bool is_waiting(const struct host_piece *piece)
{
	return piece->kind == HOST_SEEN && piece->state->state == HOST_STATE_THREAD;
}

static void add_waiting(void *waiting_ns, const struct host_piece *piece)
{
	if (is_waiting(piece))
		*(int64_t *)waiting_ns += piece->span.end_ns - piece->span.start_ns;
}

/* While the program's thread waits for a thread, it may be for this wait. */
static double looks_beside(const struct host_chains *chains, const struct trace_host_state *state)
{
	const struct span span = {state->start_ns, state->end_ns};
	int64_t waiting_ns = 0;

	host_record_each(chains->record, chains->head, span, add_waiting, &waiting_ns);
	return state->looks *
	       (1 - (double)waiting_ns / (double)max_ns(1, span.end_ns - span.start_ns));
}

static void note_outside(const struct host_chains *chains, struct summaries *all)
{
	const struct trace *trace = chains->record->trace;

	for (size_t i = 0; i < trace->host_state_count; i++) {
		const struct trace_host_state *state = &trace->host_states[i];
		struct summary *summary = summary_of(all, state->thread_id);

		if (host_is_outside(state->state) && is_framework(chains, summary))
			summary->outside_looks += looks_beside(chains, state);
	}
}

static void find_serving(struct host_chains *chains, struct summaries *all)
{
	note_outside(chains, all);
	for (size_t i = 0; i < all->list.count; i++) {
		const struct summary *summary = &all->list.items[i];

		if (is_framework(chains, summary) &&
		    (double)summary->futex_looks >= summary->outside_looks)
			map_add(&chains->serving, summary->id, i);
	}
}

struct host_chains *host_chains_create(const struct host_record *record)
{
	struct host_chains *chains;
	struct summaries all;

	if (!record)
		return NULL;
	chains = memory_array(1, sizeof(*chains));
	chains->record = record;
	all = summarize_threads(record);
	find_head(chains, &all);
	if (chains->has_head)
		find_serving(chains, &all);
	map_free(&all.by_id);
	vector_free(&all.list);
	return chains;
}

void host_chains_free(struct host_chains *chains)
{
	if (!chains)
		return;
	map_free(&chains->serving);
	free(chains);
}

uint32_t host_chains_head(const struct host_chains *chains, uint32_t thread_id)
{
	return chains && map_find(&chains->serving, thread_id) != MAP_NONE ? chains->head
									   : thread_id;
}

bool host_chains_has(const struct host_chains *chains, uint32_t thread_id)
{
	return chains->has_head && host_chains_head(chains, thread_id) == chains->head;
}

/* Who a line that waits for a thread can wait for, in this order: threads without own code that run,
 * or waited outside of the program; threads with own code that run. */
enum help { HELP_RUNNING, HELP_OUTSIDE, HELP_OWN, HELP_COUNT };

/* A walk along one thread's time. */
struct following {
	const struct host_chains *chains;
	uint32_t thread_id;
	host_piece_function piece;
	void *context;
	const struct host_piece *served;  /* of the thread that serves the program's; or NULL */
	const struct host_piece *waiting; /* its line waits */
	enum help wanted;
	VECTOR(struct host_piece) helps[HELP_COUNT]; /* in all of `waiting`, by their starts */
	size_t next[HELP_COUNT];		     /* those before it have ended */
};

static void emit_piece(const struct following *following, struct host_piece piece, struct span span)
{
	piece.span = span;
	if (span.end_ns > span.start_ns)
		following->piece(following->context, &piece);
}

/* What another thread did for the line that waits. */
static void emit_help(const struct following *following, struct host_piece help,
		      const struct host_piece *waiting, struct span span)
{
	if (help.kind == HOST_SEEN) {
		help.doing = following->chains->record->doings[waiting->doing].at_work;
		help.at = waiting->state;
	}
	emit_piece(following, help, span);
}

/* Whether the line can wait for threads that do its work: it waits neither for a lock, nor for a worker,
 * and does not compile. */
static bool can_be_helped(const struct host_chains *chains, const struct host_piece *piece)
{
	const struct host_record *record = chains->record;

	return is_waiting(piece) && !host_is_lock(piece->state) &&
	       host_site_is_own(record, host_site_of(record, piece->state)) &&
	       host_site_doing(record, piece->state->site) == HOST_FRAME_NOTHING;
}

static int64_t look_distance_ns(const struct trace_host_state *state)
{
	return (state->end_ns - state->start_ns) / (state->looks ? state->looks : 1);
}

/* One that waited outside must have gone on by the end of the wait. */
static void note_help(void *context, const struct host_piece *piece)
{
	struct following *following = context;
	const struct trace_host_state *wait = following->waiting->state;
	bool is_outside;

	if (piece->kind != HOST_SEEN || host_is_wait_for_thread(piece->state->state))
		return;
	is_outside = host_is_outside(piece->state->state);
	if (is_outside != (following->wanted == HELP_OUTSIDE) ||
	    (is_outside && piece->state->end_ns > wait->end_ns + look_distance_ns(wait)))
		return;
	*vector_add(&following->helps[following->wanted]) = *piece;
}

static int compare_starts(const void *a, const void *b)
{
	const struct host_piece *x = a, *y = b;

	return (x->span.start_ns > y->span.start_ns) - (x->span.start_ns < y->span.start_ns);
}

static void find_help(struct following *following, enum help help)
{
	const struct host_record *record = following->chains->record;

	following->wanted = help;
	following->helps[help].count = following->next[help] = 0;
	for (size_t i = 0; i < host_thread_count(record); i++) {
		const uint32_t id = host_thread_id(record, i);

		if (id != following->waiting->state->thread_id &&
		    host_has_own_code(record, id) == (help == HELP_OWN))
			host_record_each(record, id, following->waiting->span, note_help,
					 following);
	}
	vector_sort(&following->helps[help], compare_starts);
}

/* Nobody is known. A thread that serves the line works for it where both seem to wait for each other:
 * looks at them do not come at once. */
static void emit_waiting(const struct following *following, struct span span)
{
	struct host_piece waiting = *following->waiting;

	if (following->served) {
		emit_help(following, *following->served, &waiting, span);
		return;
	}
	if (following->chains->serving.count)
		waiting.kind = HOST_AWAITING;
	emit_piece(following, waiting, span);
}

static void emit_helped(struct following *following, enum help help, struct span span);

/* Returns where the rest of the span begins. */
static int64_t emit_found(struct following *following, enum help help,
			  const struct host_piece *found, struct span span)
{
	const struct span both = {max_ns(span.start_ns, found->span.start_ns),
				  min_ns(span.end_ns, found->span.end_ns)};

	if (both.end_ns <= both.start_ns)
		return span.start_ns;
	emit_helped(following, help + 1, (struct span){span.start_ns, both.start_ns});
	if (help == HELP_OWN)
		emit_piece(following, *following->waiting, both);
	else
		emit_help(following, *found, following->waiting, both);
	return both.end_ns;
}

/* Of the span, which lies in the piece that waits, behind the spans before it. */
static void emit_helped(struct following *following, enum help help, struct span span)
{
	if (span.end_ns <= span.start_ns)
		return;
	if (help == HELP_COUNT) {
		emit_waiting(following, span);
		return;
	}
	for (size_t i = following->next[help]; i < following->helps[help].count; i++) {
		const struct host_piece *found = &following->helps[help].items[i];

		if (found->span.start_ns >= span.end_ns)
			break;
		span.start_ns = emit_found(following, help, found, span);
		if (i == following->next[help] && found->span.end_ns <= span.start_ns)
			following->next[help]++;
	}
	emit_helped(following, help + 1, span);
}

/* A piece of the thread whose code is the program's. */
static void take_own(void *context, const struct host_piece *piece)
{
	struct following *following = context;

	if (!can_be_helped(following->chains, piece)) {
		emit_piece(following, *piece, piece->span);
		return;
	}
	following->waiting = piece;
	for (int help = 0; help < HELP_COUNT; help++)
		find_help(following, (enum help)help);
	emit_helped(following, HELP_RUNNING, piece->span);
}

/* The program's thread, while a framework's thread works. */
static void take_waiting(void *context, const struct host_piece *piece)
{
	struct following *following = context;

	if (is_waiting(piece))
		emit_help(following, *following->served, piece, piece->span);
	else
		emit_piece(following, *following->served, piece->span);
}

/* A piece of a thread other than the program's. */
static void take_served(void *context, const struct host_piece *piece)
{
	struct following *following = context;
	const struct host_chains *chains = following->chains;

	if (piece->kind == HOST_IN_CALL ||
	    (!is_waiting(piece) && !host_chains_has(chains, following->thread_id)) ||
	    (piece->kind == HOST_SEEN && host_site_is_own(chains->record, piece->state->site))) {
		emit_piece(following, *piece, piece->span);
		return;
	}
	following->served = piece;
	host_record_each(chains->record, chains->head, piece->span,
			 piece->kind != HOST_SEEN || is_waiting(piece) ? take_own : take_waiting,
			 following);
}

void host_chains_each(const struct host_chains *chains, uint32_t thread_id, struct span span,
		      host_piece_function piece, void *context)
{
	struct following following = {
		.chains = chains, .thread_id = thread_id, .piece = piece, .context = context};

	host_record_each(chains->record, thread_id, span,
			 chains->has_head && thread_id != chains->head ? take_served : take_own,
			 &following);
	for (int i = 0; i < HELP_COUNT; i++)
		vector_free(&following.helps[i]);
}
