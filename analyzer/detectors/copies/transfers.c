#include "detectors/copies/transfers.h"

#include "base/memory.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/thresholds.h"
#include "detectors/copies/call_order.h"
#include "detectors/copies/contents.h"
#include "detectors/copies/host_trips.h"
#include "detectors/copies/source_writes.h"
#include "detectors/copies/transfer_proofs.h"
#include "facts/content.h"
#include "model/accesses.h"
#include "model/extents.h"

#include <stdlib.h>
#include <string.h>

struct following {
	const struct trace *trace;
	struct accesses *accesses;
	struct transfers *found;
	struct contents contents;
	struct source_writes writes;
	struct host_trips trips;
	VECTOR(uint64_t) pointers; /* of all launches, sorted */
	struct map groups, lines;
	uint32_t unseen_writes, unseen_reads; /* operations of which that is not known, so far */
};

static bool is_sent(const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_COPY && operation->form->engine == ENGINE_H2D;
}

static bool is_fetched(const struct trace_operation *operation)
{
	return operation->form->kind == OPERATION_COPY && operation->form->engine == ENGINE_D2H;
}

/* A copy of consecutive bytes that is all of its call: its addresses and its hash are the call's. */
static bool is_plain(const struct trace_operation *operation)
{
	const struct trace_call *call = operation->call;

	return call && call->operation == operation && call->form->function->class == CLASS_COPY &&
	       call->form->src && call->form->dst && operation->form->size_bytes &&
	       call->form->size_bytes == operation->form->size_bytes &&
	       call->form->src + operation->form->size_bytes > call->form->src &&
	       call->form->dst + operation->form->size_bytes > call->form->dst &&
	       !strstr(call->form->function->name, "2D") &&
	       !strstr(call->form->function->name, "3D");
}

static uint32_t index_of(const struct following *following, const struct trace_operation *operation)
{
	return (uint32_t)(operation - following->trace->operations);
}

static const struct trace_operation *operation_at(const struct following *following, uint32_t index)
{
	return index == CONTENT_NO_OPERATION ? NULL : &following->trace->operations[index];
}

static void add_transfer(struct following *following, const struct content *content, bool is_equal,
			 const struct transfer *transfer)
{
	struct transfer_group *group = &following->found->groups.items[transfer->group];
	struct transfer added = *transfer;

	added.is_unseen = transfer->kind == TRANSFER_UNUSED
				  ? content->unseen_reads != following->unseen_reads
				  : content->unseen_writes != following->unseen_writes;
	if (!added.is_unseen && is_equal)
		group->again++;
	else if (!added.is_unseen)
		group->unused++;
	*vector_add(&following->found->all) = added;
}

/* Whether a launch got a pointer into the address's allocation. Otherwise kernels, if they use it
 * at all, reach it in a way that is not seen. False for memory that the host writes, too. */
static bool is_given(const struct following *following, uint64_t address)
{
	const struct trace_allocation *allocation =
		accesses_allocation_at(following->accesses, address);
	size_t low;

	if (!allocation || allocation->is_host)
		return false;
	low = search(following->pointers.count, i,
		     following->pointers.items[i] < allocation->address);
	return low < following->pointers.count &&
	       following->pointers.items[low] - allocation->address < allocation->size_bytes;
}

/* Finds the contents of extents in [start, end) that nobody has read, and that are overwritten now:
 * by a copy, or by a new allocation. */
static void find_unused(struct following *following, uint64_t start, uint64_t end,
			const struct trace_operation *by)
{
	const struct extent *extent;
	uint64_t cursor = 0;
	int pieces = 0;

	while ((extent = extents_next(&following->contents.known, start, end, &cursor)) &&
	       ++pieces <= PIECES_MOST) {
		const struct content *content = &following->contents.all.items[extent->value];

		if (!extent->value || content->is_read || content->sent == CONTENT_NO_OPERATION ||
		    content->start < start || content->end > end ||
		    extent->start != content->start || extent->end != content->end ||
		    !is_given(following, content->start))
			continue;
		add_transfer(following, content, false,
			     &(struct transfer){.copy = operation_at(following, content->sent),
						.other = by,
						.kind = TRANSFER_UNUSED,
						.proof = PROOF_WHOLE,
						.group = content->group});
	}
}

/* The number of the call site; where that is not known the group is alone. */
static uint32_t line_of(struct following *following, const struct trace_call *call, uint64_t group)
{
	uint64_t key = call->form->site ? (uint64_t)(uintptr_t)call->form->site : group;
	size_t found = map_find(&following->lines, key);

	if (found == MAP_NONE) {
		found = following->lines.count;
		map_set(&following->lines, key, found);
	}
	return (uint32_t)found;
}

/* The number of the copy's group, which is made where it is the first one. */
static uint32_t group_of(struct following *following, const struct trace_call *call)
{
	uint64_t key = (uint64_t)(uintptr_t)call->form->site * 0x9e3779b97f4a7c15u;
	size_t found;

	key = (key ^ call->form->dst) * 0x9e3779b97f4a7c15u ^ call->form->size_bytes;
	found = map_find(&following->groups, key);
	if (found == MAP_NONE) {
		found = following->found->groups.count;
		map_set(&following->groups, key, found);
		*vector_add(&following->found->groups) =
			(struct transfer_group){.line = line_of(following, call, key)};
	} else {
		following->found->groups.items[found].copies++;
	}
	return (uint32_t)found;
}

/* How surely the copy brings what is there already; updates the counts of its group. */
static enum content_proof prove_equal(struct following *following, const struct content *before,
				      const struct content *now)
{
	struct transfer_group *group = &following->found->groups.items[now->group];
	enum content_proof proof = contents_compare(before, now->hash);
	const bool is_small = now->end - now->start <= CONTENT_SMALL_BYTES;

	/* A small copy consists of its lines only, and tells nothing about bytes between other
	 * copies' lines. */
	group->equal += proof == PROOF_WHOLE && !is_small;
	group->different += proof == PROOF_AGAINST;
	return source_writes_are_untouched(&following->writes, operation_at(following, now->sent),
					   operation_at(following, before->fetched))
		       ? PROOF_WHOLE
		       : proof;
}

/* before: what is there already. */
static void add_redundant(struct following *following, const struct content *before,
			  const struct content *now, enum content_proof proof)
{
	const struct trace_operation *copy = operation_at(following, now->sent);
	const struct trace_operation *fetched = operation_at(following, before->fetched);

	add_transfer(following, before, true,
		     &(struct transfer){.copy = copy,
					.other = fetched ? fetched
							 : operation_at(following, before->sent),
					.kind = fetched ? TRANSFER_BACK : TRANSFER_AGAIN,
					.proof = proof,
					.is_through_host = fetched && fetched->call->form->dst ==
									      copy->call->form->src,
					.group = now->group});
}

/* The D2H copy's own call did not wait: what it brought is known from the copy back, as the
 * thread's next wait found it. */
static void learn_fetched(const struct following *following, struct content *content,
			  const struct trace_operation *sent)
{
	const struct trace_operation *fetched = operation_at(following, content->fetched);
	const uint32_t numbers = (uint32_t)sent->call->form->object;

	if (!fetched || content->hash || !numbers || fetched->end_ns > sent->call->start_ns ||
	    !source_writes_are_as_fetched(&following->writes, fetched, sent))
		return;
	content->hash = numbers;
	content->lines = numbers & CONTENT_IS_WHOLE ? 0 : numbers;
	content->whole = numbers & CONTENT_IS_WHOLE ? numbers : 0;
}

/* What it brought, where its call has waited for it. */
static uint32_t fetched_numbers(const struct trace_operation *fetched)
{
	return fetched->end_ns > fetched->call->end_ns ? 0 : fetched->call->form->numbers;
}

/* The copy brings what another one fetched from another place: false if nothing says so. */
static bool add_moved(struct following *following, const struct trace_operation *copy,
		      uint32_t group_index)
{
	struct transfer_group *group = &following->found->groups.items[group_index];
	const struct trace_operation *fetched =
		host_trips_fetched(&following->trips, &following->writes, copy);
	enum content_proof proof;

	if (!fetched)
		return false;
	proof = host_trips_compare(&following->trips, group->line, fetched_numbers(fetched),
				   copy->call->form->numbers);
	if (proof == PROOF_AGAINST)
		return false;
	group->again++;
	*vector_add(&following->found->all) =
		(struct transfer){.copy = copy,
				  .other = fetched,
				  .kind = TRANSFER_MOVED,
				  .proof = proof,
				  .is_through_host = true,
				  .is_held = host_trips_is_held(&following->trips, fetched),
				  .group = group_index};
	return true;
}

static void pass_sent(struct following *following, const struct trace_operation *operation)
{
	const struct trace_call *call = operation->call;
	const uint64_t start = call->form->dst, end = start + operation->form->size_bytes;
	const struct content *at = contents_at(&following->contents, start, end);
	struct content before = at ? *at : (struct content){0};
	enum content_proof proof = PROOF_NONE;
	struct content now = {.start = start,
			      .end = end,
			      .sent = index_of(following, operation),
			      .fetched = CONTENT_NO_OPERATION,
			      .group = group_of(following, call),
			      .unseen_reads = following->unseen_reads,
			      .unseen_writes = following->unseen_writes};

	if (!source_writes_come_later(&following->writes, operation))
		now.hash = call->form->numbers;
	if (at) {
		learn_fetched(following, &before, operation);
		proof = prove_equal(following, &before, &now);
	}
	if (proof > PROOF_AGAINST && is_given(following, start))
		add_redundant(following, &before, &now, proof);
	else if (!add_moved(following, operation, now.group))
		find_unused(following, start, end, operation);
	contents_set(&following->contents, now, &before, proof);
}

/* Whether the fetched bytes equal the sent ones, as far as known: otherwise something unseen has
 * written them. */
static bool is_still_there(const struct following *following, const struct content *content,
			   uint32_t hash)
{
	bool is_comparable = hash && !((content->hash ^ hash) & CONTENT_IS_WHOLE);

	return content->unseen_writes == following->unseen_writes && content->hash &&
	       (!is_comparable || content->hash == hash);
}

/* Whether the host memory has the bytes already: they were sent from there, and nothing has written
 * there since. */
static bool is_held(const struct following *following, const struct content *content,
		    const struct trace_operation *fetched)
{
	const struct trace_operation *sent =
		content ? operation_at(following, content->sent) : NULL;
	const struct trace_operation *writer =
		sent ? source_writes_last(&following->writes, sent) : NULL;
	const uint32_t numbers = fetched_numbers(fetched);

	return sent && sent->call->form->src == fetched->call->form->dst && numbers &&
	       numbers == content->hash && (!writer || writer->call < sent->call);
}

static void pass_fetched(struct following *following, const struct trace_operation *operation)
{
	const uint64_t start = operation->call->form->src;
	const uint64_t end = start + operation->form->size_bytes;
	const uint32_t numbers = fetched_numbers(operation);
	struct content *content = contents_at(&following->contents, start, end);

	host_trips_pass_fetched(&following->trips, operation,
				is_held(following, content, operation));
	if (content && is_still_there(following, content, numbers)) {
		content->fetched = index_of(following, operation);
		if (numbers & ~content->hash & CONTENT_IS_WHOLE) {
			content->lines = content->hash;
			content->hash = content->whole = numbers;
		}
		return;
	}
	contents_set(&following->contents,
		     (struct content){.start = start,
				      .end = end,
				      .sent = CONTENT_NO_OPERATION,
				      .fetched = index_of(following, operation),
				      .hash = numbers,
				      .unseen_reads = following->unseen_reads,
				      .unseen_writes = following->unseen_writes,
				      .is_read = true},
		     NULL, PROOF_NONE);
}

static void mark_read(struct following *following, const struct access *access)
{
	const struct extent *extent;
	uint64_t cursor = 0;
	int pieces = 0;

	while ((extent = extents_next(&following->contents.known, access->start, access->end,
				      &cursor))) {
		if (++pieces > PIECES_MOST) {
			following->unseen_reads++;
			return;
		}
		following->contents.all.items[extent->value].is_read = true;
	}
}

static void pass_accesses(struct following *following, const struct trace_operation *operation)
{
	const struct accesses *accesses = following->accesses;
	bool is_moved = operation->form->kind != OPERATION_KERNEL;

	for (size_t i = 0; i < accesses->all.count; i++)
		if (accesses->all.items[i].is_read)
			mark_read(following, &accesses->all.items[i]);
	for (size_t i = 0; i < accesses->all.count; i++) {
		const struct access *access = &accesses->all.items[i];

		if (!access->is_written || access->start >= access->end)
			continue;
		if (is_moved && accesses->writes_seen)
			find_unused(following, access->start, access->end, operation);
		contents_forget(&following->contents, access->start, access->end);
		if (accesses->gives_result)
			source_writes_note(&following->writes, access->start, access->end,
					   operation);
	}
}

static void pass_allocations(struct following *following, int64_t time_ns)
{
	const struct trace_allocation *next;

	while ((next = accesses_next_allocation(following->accesses, time_ns))) {
		uint64_t end = next->address + next->size_bytes;

		contents_forget(&following->contents, next->address, end);
		source_writes_note(&following->writes, next->address, end, NULL);
	}
}

static void pass_operation(struct following *following, const struct trace_operation *operation)
{
	bool is_known = is_plain(operation);

	if (operation->form->kind == OPERATION_KERNEL)
		host_trips_pass_kernel(&following->trips);
	pass_allocations(following, model_enqueue_ns(operation));
	accesses_find(following->accesses, operation);
	if (is_known && is_sent(operation)) {
		pass_sent(following, operation);
		return;
	}
	pass_accesses(following, operation);
	following->unseen_reads += !following->accesses->reads_seen;
	following->unseen_writes += !following->accesses->writes_seen;
	if (is_known && is_fetched(operation)) {
		pass_fetched(following, operation);
		source_writes_note(&following->writes, operation->call->form->dst,
				   operation->call->form->dst + operation->form->size_bytes,
				   operation);
	}
}

static int compare_pointers(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void collect_pointers(struct following *following)
{
	const struct trace *trace = following->trace;

	for (size_t i = 0; i < trace->arguments_count; i++)
		for (size_t k = 0; k < trace->arguments[i].count; k++)
			*vector_add(&following->pointers) = trace->arguments[i].items[k].address;
	vector_sort(&following->pointers, compare_pointers);
}

static bool has_hashes(const struct trace *trace)
{
	for (size_t i = 0; i < trace->operation_count; i++)
		if (is_sent(&trace->operations[i]) && is_plain(&trace->operations[i]) &&
		    trace->operations[i].call->form->numbers)
			return true;
	return false;
}

void transfers_find(const struct model *model, struct transfers *transfers)
{
	struct sort_key *order;
	struct following following = {
		.trace = model->trace, .found = transfers, .writes.trace = model->trace};

	if (!model->trace->arguments_count || !has_hashes(model->trace))
		return;
	following.accesses = accesses_create(model->trace);
	contents_begin(&following.contents);
	collect_pointers(&following);
	order = call_order_of(model->trace);
	for (size_t i = 0; i < model->trace->operation_count; i++)
		pass_operation(&following, &model->trace->operations[order[i].index]);
	free(order);
	transfer_proofs_settle(transfers, following.lines.count, &following.trips);
	host_trips_free(&following.trips);
	map_free(&following.lines);
	map_free(&following.groups);
	vector_free(&following.pointers);
	source_writes_free(&following.writes);
	contents_free(&following.contents);
	accesses_free(following.accesses);
}

void transfers_free(struct transfers *transfers)
{
	vector_free(&transfers->groups);
	vector_free(&transfers->all);
}
