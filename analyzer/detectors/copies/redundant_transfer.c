/*
 * WHAT: a copy to the device that brings nothing: the same bytes were sent to the same place before and are
 *   still there; or they were fetched from there, or from other memory of the device, and come back as they
 *   were; or another copy overwrites them before anything reads them.
 * EVIDENCE: a hash of what each copy carried, of all its bytes or of lines spread over them, and no
 *   operation between the two copies that writes there: kernels write where their arguments point, unless
 *   to const. A copy back that was enqueued before the copy to the host was done needs no hash. Bytes
 *   fetched from other memory: the copy reads the host memory that the copy to the host wrote, no kernel was
 *   enqueued between the two, and their hashes are equal wherever the line's were compared. Most copies of
 *   the line to this place bring nothing; one that does now and then is needed.
 * COST: the copy and its call. Of a round trip the copy to the host, too, where the host had no time to read
 *   all of it before its thread enqueued more, or had the same bytes there already.
 * FALSE POSITIVES: kernels that reach the memory by a pointer in memory are not seen to write it; where no
 *   launch was given a pointer to it nothing is found. Bytes of which only lines were compared may differ
 *   between them: the low end and the estimate leave those copies, unless others of the same line and
 *   place were compared whole and were the same, too. Of other places that the same line copies to they
 *   make it likely: the estimate counts those, the low end does not. So do pairs of which no lines, or only
 *   lines, were compared, where bytes come from other memory and no pair of the line differs.
 */
#include "base/minmax.h"
#include "detectors/copies/transfers.h"
#include "detectors/detector.h"
#include "replay/observed/evidence.h"

#include <stdio.h>

/* Of an instance: the copy that makes its own redundant. */
struct twin {
	const struct trace_operation *other;
	const struct trace_call *fetch; /* its call, where it is one to the host that need not be
					   made, either; or NULL */
	bool is_likely;			/* doubtful, but likely to be so */
	bool is_held;			/* the host had what `fetch` brought */
	bool is_moved;			/* `other` fetched the bytes from other device memory */
};

static bool is_of_group(const struct transfers *transfers, const struct transfer *transfer)
{
	const struct transfer_group *group = &transfers->groups.items[transfer->group];

	/* A sent copy can be the first one, which is not counted. */
	return transfer->kind == TRANSFER_UNUSED ? 2 * group->unused > group->copies + 1
						 : 2 * group->again > group->copies;
}

static void add_transfer(const struct transfer *transfer, struct instances *found)
{
	const struct trace_operation *copy = transfer->copy;
	const struct trace_call *call = copy->call, *fetch = NULL;
	struct span reach = {call->start_ns, max_ns(copy->end_ns, call->end_ns)};

	if (transfer->is_through_host)
		fetch = transfer->other->call;
	if (fetch)
		reach.start_ns = min_ns(reach.start_ns, fetch->start_ns);
	instance_add(found, (struct instance){
				    .span = {copy->start_ns, copy->end_ns},
				    .reach = reach,
				    .reach_of_both = reach,
				    .site_call = call,
				    .call = call,
				    .operation = copy,
				    .takes_other_fix = transfer->kind == TRANSFER_BACK ||
						       transfer->kind == TRANSFER_MOVED,
				    .fix = transfer->kind == TRANSFER_UNUSED
						   ? "Send it only where something reads it: "
						     "nothing did before it was overwritten."
					   : transfer->kind == TRANSFER_MOVED
						   ? "Keep the data on the device: give the next "
						     "kernel the other device memory (swap the "
						     "pointers there, too), and fetch it only "
						     "where the host uses it."
						   : NULL,
				    .is_doubtful = transfer->proof != PROOF_WHOLE,
				    .detail = INSTANCE_DETAIL(struct twin, transfer->other, fetch,
							      transfer->proof == PROOF_LIKELY,
							      transfer->is_held,
							      transfer->kind == TRANSFER_MOVED),
			    });
}

static void find_redundant_transfers(const struct observed *observed, struct instances *found)
{
	struct transfers transfers = {0};

	transfers_find(observed->model, &transfers);
	for (size_t i = 0; i < transfers.all.count; i++) {
		const struct transfer *transfer = &transfers.all.items[i];
		const struct trace_operation *copy = transfer->copy;

		if (transfer->is_unseen)
			instance_add_doubtful(found, observed->model->trace, copy->start_ns,
					      copy->end_ns - copy->start_ns);
		else if (is_of_group(&transfers, transfer))
			add_transfer(transfer, found);
	}
	transfers_free(&transfers);
}

/* A call that waits for other work gives way to a synchronize where that may be needed. */
static void drop_transfer(const struct observed *observed, const struct trace_operation *copy,
			  enum doubt doubt, struct edits *edits)
{
	const struct model *model = observed->model;
	const struct trace_operation *cause = evidence_of(observed->evidence, copy->call).cause;

	edits_drop_operation(edits, model, copy);
	if (doubt == DOUBT_KEEP && cause && cause != copy)
		edits_set_call_time(edits, model, copy->call, 0);
	else
		edits_drop_call(edits, model, copy->call);
}

/* Whether the host may have read what the D2H copy brought: before its thread enqueued more, or, if
 * the call did not wait for the copy, before the data was sent back. */
static bool may_be_read(const struct model *model, const struct instance *instance,
			enum doubt doubt)
{
	const struct twin twin = instance_detail(instance, struct twin);
	const struct trace_operation *fetched = twin.other;
	const struct trace_call *call = fetched->call;
	uint64_t bytes =
		fetched->end_ns > call->end_ns
			? detector_host_bytes_in(instance->call->start_ns - fetched->end_ns)
			: detector_host_bytes(model, call);

	return doubt == DOUBT_KEEP ||
	       (doubt == DOUBT_WEIGH && !twin.is_held && bytes >= fetched->form->size_bytes);
}

static bool is_kept(const struct instance *instance, enum doubt doubt)
{
	return instance->is_doubtful &&
	       (doubt == DOUBT_KEEP ||
		(doubt == DOUBT_WEIGH && !instance_detail(instance, struct twin).is_likely));
}

static void fix_redundant_transfers(const struct observed *observed,
				    const struct instance *instances, size_t count,
				    enum doubt doubt, struct edits *edits)
{
	for (size_t i = 0; i < count; i++) {
		const struct instance *instance = &instances[i];
		struct twin twin = instance_detail(instance, struct twin);

		if (is_kept(instance, doubt))
			continue;
		drop_transfer(observed, instance->operation, doubt, edits);
		if (twin.fetch && !may_be_read(observed->model, instance, doubt))
			drop_transfer(observed, twin.other, doubt, edits);
	}
}

static void describe_redundant_transfer(const struct observed *observed,
					const struct instance *instance, char *text, size_t size)
{
	const struct trace_operation *other = instance_detail(instance, struct twin).other;
	struct format time, later;
	char copy[96], what[96];

	describe_operation(observed->model, instance->operation, copy, sizeof(copy));
	describe_cause(observed->model, other, what, sizeof(what));
	if (!instance->takes_other_fix && instance->fix) {
		snprintf(text, size, "%s took %s, and %s overwrote it %s later; nothing read it",
			 copy, format_time(&time, instance->span.end_ns - instance->span.start_ns),
			 what, format_time(&later, other->start_ns - instance->operation->end_ns));
		return;
	}
	snprintf(text, size, "%s took %s and brought what %s %s %s before%s", copy,
		 format_time(&time, instance->span.end_ns - instance->span.start_ns), what,
		 instance_detail(instance, struct twin).is_moved
			 ? "had taken from other device memory"
		 : instance->takes_other_fix ? "had taken from there"
					     : "had brought there",
		 format_time(&later, instance->operation->start_ns - other->end_ns),
		 instance->is_doubtful ? ", as far as they were compared" : "");
}

/* The host's copy of the data. */
static struct cause cause_of(const struct model *model, const struct instance *instance)
{
	const struct trace_operation *copy = instance->operation;

	if (copy->form->engine != ENGINE_H2D && copy->form->engine != ENGINE_D2H)
		return (struct cause){CAUSE_NONE, 0, 0};
	return cause_of_host_memory(copy->form->engine == ENGINE_D2H ? copy->call->form->dst
								     : copy->call->form->src,
				    copy->form->size_bytes);
}

const struct detector detector_redundant_transfer = {
	.id = "redundant-transfer",
	.title = "The same bytes are copied to the device again",
	.fix = "Send them once, before the loop, and again only where they have changed.",
	.other_fix =
		"Keep the data on the device: do not fetch it between kernels, or fetch it only "
		"where the host uses it, and do not send it back.",
	.cost = "copying",
	.low_end = "lines that were not compared may differ, or the host may use the data",
	.doubt = "it is not known what a kernel between the two copies reads and writes",
	.needed = {"copy", "copies"},
	.is_by_size = true,
	.pointers = {DETAIL_POINTER(struct twin, other),
		     DETAIL_POINTER_ANYWHERE(struct twin, fetch)},
	.find = find_redundant_transfers,
	.apply = fix_redundant_transfers,
	.cause = cause_of,
	.describe = describe_redundant_transfer,
};
