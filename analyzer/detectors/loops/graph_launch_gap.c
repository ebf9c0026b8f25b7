/*
 * WHAT: a line launches CUDA graphs that are not on the device yet: the launch uploads the graph, and
 *   the GPU is idle meanwhile. Each executable graph is uploaded by its first launch, and by the first
 *   after a change.
 * EVIDENCE: first launches of graphs whose instantiation or change was recorded. Since then the same
 *   thread had enqueued other work, and made a call behind it: it could have called cudaGraphUpload()
 *   between the two. The launches took longer than CUPTI's records of the nodes and a launch do, and
 *   their streams had nothing to do for most of that: what a launch uses may be copied right before it.
 *   At least so many of a line that it is no warm-up.
 * COST: the upload's part of the launches. The fix uploads the graph behind the work enqueued before,
 *   which takes the host as long there. For the low end such a call takes a launch's time besides; for
 *   the high end all graphs are uploaded before the loop.
 * FALSE POSITIVES: what CUPTI takes for a node is known only by launches of graphs that are on the
 *   device; where the run has few of these, it counts as on other machines. Graphs that are
 *   instantiated and launched once each are graph-rebuild's where they are alike.
 */
#include "base/thresholds.h"
#include "detectors/detector.h"
#include "detectors/evidence/graph_uploads.h"

#include <stdio.h>

static void find_graph_launch_gaps(const struct observed *observed, struct instances *found)
{
	struct graph_uploads uploads = graph_uploads_find(observed);

	for (size_t i = 0; i < uploads.all.count; i++) {
		struct graph_upload upload = uploads.all.items[i];

		instance_add(found,
			     (struct instance){.span = {upload.call->end_ns - upload.upload_ns,
							upload.call->end_ns},
					       .site_call = upload.call,
					       .call = upload.call,
					       .operation = upload.call->operation,
					       .detail = INSTANCE_DETAIL_OF(upload)});
	}
	graph_uploads_free(&uploads);
}

static void fix_graph_launch_gaps(const struct observed *observed, const struct instance *instances,
				  size_t count, enum doubt doubt, struct edits *edits)
{
	int64_t call_ns = doubt == DOUBT_KEEP ? GRAPH_LAUNCHED_NS : 0;

	for (size_t i = 0; i < count; i++) {
		struct graph_upload upload = instance_detail(&instances[i], struct graph_upload);

		edits_set_call_time(edits, observed->model, upload.call, upload.bare_ns);
		if (doubt != DOUBT_DROP)
			edits_set_call_time(edits, observed->model, upload.place,
					    upload.place_ns + upload.upload_ns + call_ns);
	}
}

static void describe_graph_launch_gap(const struct observed *observed,
				      const struct instance *instance, char *text, size_t size)
{
	const struct trace_call *call = instance->call;
	struct graph_upload upload = instance_detail(instance, struct graph_upload);
	struct format time, part;

	(void)observed;
	snprintf(text, size,
		 "%s took %s, %s of it to upload a graph of %u node%s, with its stream idle",
		 call->form->function->name, format_time(&time, call->end_ns - call->start_ns),
		 format_time(&part, upload.upload_ns), upload.nodes, upload.nodes == 1 ? "" : "s");
}

const struct detector detector_graph_launch_gap = {
	.id = "graph-launch-gap",
	.title = "Launches of CUDA graphs upload them first, while the GPU is idle",
	.fix = "Call cudaGraphUpload() for the next graph in a stream of its own, right behind the "
	       "launch of this one; or for all graphs before the loop. Keep executable graphs: one "
	       "that is launched again is there already.",
	.cost = "uploading",
	.low_end = "the upload takes the host as long elsewhere, and a call more",
	.pointers = {DETAIL_POINTER(struct graph_upload, call),
		     DETAIL_POINTER(struct graph_upload, place)},
	.find = find_graph_launch_gaps,
	.apply = fix_graph_launch_gaps,
	.describe = describe_graph_launch_gap,
};
