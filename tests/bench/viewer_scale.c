/*
 * A page with a timeline of any size, of a run that never was: what its page takes to open and to draw is
 * the browser's to say (tests/web/scale.py).
 *
 *   viewer_scale OPERATIONS PAGE
 *
 * Threads each launch into streams of their own; the run after the fix has levels of detail only, as
 * pages of so many events do.
 */
#include "base/memory.h"
#include "viewer/viewer.h"

#include <err.h>
#include <stdlib.h>

#define THREADS		   4
#define STREAMS_OF_THREAD  4
#define KERNELS		   40 /* of different names */
#define NS_OF_AN_OPERATION 2500

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static json_t *pack_lane(struct viewer *viewer, const char *kind, const char *name, int number,
			 lane_event_vector *events, int64_t end_ns, bool has_events)
{
	struct lane_packs packs = viewer_packs(viewer);
	char *full = memory_format("%s %d", name, number);
	json_t *lane = json_pack("{s:s, s:s, s:s}", "kind", kind, "group",
				 *kind == 't' ? "Host" : "Device 0", "name", full);

	lane_pack(lane, events, end_ns, has_events, &packs);
	vector_free(events);
	free(full);
	return lane;
}

/* One after the other, with gaps; a third of them copies. */
static json_t *make_stream(struct viewer *viewer, int stream, int64_t count, int64_t end_ns,
			   bool has_events, lane_event_vector *all)
{
	lane_event_vector events = {0};
	uint32_t state = (uint32_t)stream;
	int64_t step_ns = end_ns / (count + 1), start_ns = next_random(&state) % (step_ns + 1);

	for (int64_t i = 0; i < count; i++, start_ns += step_ns) {
		bool is_copy = next_random(&state) % 3 == 0;
		int64_t length_ns = 1 + next_random(&state) % (step_ns * 3 / 4);

		*vector_add(&events) = (struct lane_event){
			.start_ns = start_ns,
			.end_ns = start_ns + length_ns,
			.amount = is_copy ? 4096u << next_random(&state) % 8 : 0,
			.id = i * THREADS * STREAMS_OF_THREAD + stream,
			.link = i * THREADS * STREAMS_OF_THREAD + stream,
			.thing = is_copy ? KERNELS : next_random(&state) % KERNELS,
			.class = is_copy ? VIEWER_H2D : VIEWER_KERNEL};
		if (is_copy == false)
			*vector_add(all) = events.items[events.count - 1];
	}
	return pack_lane(viewer, "stream", "stream", stream + 1, &events, end_ns, has_events);
}

static json_t *make_thread(struct viewer *viewer, int thread, int64_t count, int64_t end_ns,
			   bool has_events)
{
	lane_event_vector events = {0};
	uint32_t state = 77 + (uint32_t)thread;
	int64_t step_ns = end_ns / (count + 1);

	for (int64_t i = 0; i < count; i++) {
		int64_t length_ns = 1 + next_random(&state) % (step_ns * 3 / 4);

		*vector_add(&events) =
			(struct lane_event){.start_ns = i * step_ns,
					    .end_ns = i * step_ns + length_ns,
					    .wait_ns = next_random(&state) % 8 ? 0 : length_ns / 2,
					    .id = i * THREADS + thread,
					    .link = i * THREADS + thread,
					    .thing = KERNELS + 1,
					    .class = VIEWER_CALL};
	}
	return pack_lane(viewer, "thread", "thread", 4000 + thread, &events, end_ns, has_events);
}

static json_t *make_run(struct viewer *viewer, int64_t operations, int64_t end_ns, bool has_events)
{
	json_t *lanes = json_array(), *engine;
	lane_event_vector all = {0};
	struct lane_packs packs = viewer_packs(viewer);

	for (int i = 0; i < THREADS * STREAMS_OF_THREAD; i++)
		json_array_append_new(lanes, make_stream(viewer, i,
							 operations / THREADS / STREAMS_OF_THREAD,
							 end_ns, has_events, &all));
	engine = json_pack("{s:s, s:s, s:s, s:i}", "kind", "engine", "group", "Device 0", "name",
			   "compute", "classes", 1 << VIEWER_KERNEL);
	lane_pack(engine, &all, end_ns, false, &packs);
	vector_free(&all);
	json_array_insert_new(lanes, 0, engine);
	for (int i = 0; i < THREADS; i++)
		json_array_append_new(
			lanes, make_thread(viewer, i, operations / THREADS, end_ns, has_events));
	lane_shorten_rows(lanes);
	return json_pack("{s:I, s:o}", "end_ns", (json_int_t)end_ns, "lanes", lanes);
}

static json_t *make_things(void)
{
	json_t *rows = json_array();

	for (int i = 0; i < KERNELS; i++) {
		char *name = memory_format("kernel_%d<float>", i);

		json_array_append_new(rows, json_pack("[i, s, n, s, n, n, i, i]", VIEWER_KERNEL,
						      name, "256 blocks of 128 threads", 1, 1));
		free(name);
	}
	json_array_append_new(rows,
			      json_pack("[i, s, n, n, n, n, i, i]", VIEWER_H2D, "H2D copy", 1, 1));
	json_array_append_new(rows, json_pack("[i, s, n, n, s, s, i, i]", VIEWER_CALL,
					      "cudaLaunchKernel", "app.cu:12", "main", 1, 1));
	return rows;
}

static json_t *make_report(int64_t end_ns)
{
	json_int_t saved_ns = end_ns / 5;
	json_t *finding = json_pack("{s:i, s:s, s:s, s:I, s:I, s:i, s:{s:I, s:I, s:I}, s:{s:I, "
				    "s:i}, s:n, s:[], s:s, s:n, s:n}",
				    "number", 1, "id", "sync-in-loop", "title", "A made-up finding",
				    "in_order_ns", saved_ns, "blocked_ns", saved_ns, "count", 1,
				    "lost_overlap_ns", "low", saved_ns, "estimate", saved_ns,
				    "high", saved_ns, "lost_terms_ns", "own", saved_ns, "overlap",
				    0, "low_end", "evidence", "fix", "None", "relies_on", "price");

	return json_pack("{s:{s:s, s:s}, s:{s:I, s:I, s:{s:I, s:I, s:I}}, s:n, s:[o], s:[]}",
			 "trace", "program", "viewer_scale", "device", "no device", "headline",
			 "wall_ns", (json_int_t)end_ns, "untraced_ns", (json_int_t)end_ns,
			 "lost_overlap_ns", "low", saved_ns, "estimate", saved_ns, "high", saved_ns,
			 "self_check", "findings", finding, "not_seen");
}

static char *make_findings(void)
{
	return memory_format("<section class=\"process\" id=\"process-1\">"
			     "<h1>viewer_scale</h1><p class=\"run\">no device</p>"
			     "<article class=\"card\"><h3 class=\"title\">A finding</h3>"
			     "<div class=\"more\"><ol class=\"evidence\"></ol></div></article>"
			     "</section>\n");
}

int main(int argc, char **argv)
{
	struct viewer viewer = {0};
	json_t *shown, *measured, *after;
	int64_t operations, end_ns;
	FILE *out;

	if (argc != 3)
		errx(2, "viewer_scale OPERATIONS PAGE");
	operations = atoll(argv[1]);
	end_ns = operations * NS_OF_AN_OPERATION;
	viewer_init(&viewer);
	measured = make_run(&viewer, operations, end_ns, true);
	after = make_run(&viewer, operations, end_ns * 4 / 5, operations <= 1000000);
	json_object_set_new(after, "fixes", json_pack("[i]", 1));
	json_object_set_new(after, "of", json_integer(1));
	shown = json_pack("{s:o, s:o, s:o, s:o, s:o}", "report",
			  viewer_pack_json(&viewer, make_report(end_ns)), "races",
			  viewer_pack_json(&viewer, json_array()), "runs",
			  viewer_pack_json(&viewer, json_pack("[o, o]", measured, after)),
			  "findings",
			  viewer_pack_json(&viewer, json_pack("[{s:s, s:n, s:[]}]", "line",
							      "app.cu:12", "curve", "places")),
			  "things", viewer_pack_json(&viewer, make_things()));
	out = fopen(argv[2], "w");
	if (!out || !shown || !viewer_add(&viewer, shown, make_findings()) ||
	    !viewer_write(&viewer, "viewer_scale", json_pack("[{s:s}]", "program", "viewer_scale"),
			  out) ||
	    fclose(out))
		err(1, "%s", argv[2]);
	viewer_free(&viewer);
	return 0;
}
