/* Graphs, host functions, managed memory and pools, end to end on the stand-in device. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_test.h"
#include "preload_run.h"

static void trace_scenario(struct run *run, const char *scenario, const char *const *environment)
{
	run_start(run, APP_PATH, scenario, true, environment);
	assert_int_equal(run->status, 0);
	assert_string_equal(run->err, "");
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

/* The number behind the word that begins the program's output. */
static long long printed(const struct run *run, const char *word)
{
	assert_int_equal(strncmp(run->out, word, strlen(word)), 0);
	return atoll(run->out + strlen(word));
}

TEST_RUN(test_host_functions_are_timed)
{
	trace_scenario(run, "host-functions", NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM host_functions"), 4);
	/* The callback does nothing. On a busy machine that takes 2 ms, too, but no second. */
	assert_string_equal(
		run_text(run, "SELECT group_concat(call || CASE call WHEN 'cudaLaunchHostFunc'"
			      " THEN ' ' || (duration_ns >= 2000000)"
			      " ELSE ' ' || (duration_ns >= 1000000000) END)"
			      " FROM (SELECT * FROM named_host_functions ORDER BY start_ns)"),
		"cudaLaunchHostFunc 1,cudaLaunchHostFunc 1,cudaLaunchHostFunc 1,"
		"cudaStreamAddCallback 0");
	/* In their stream, behind the kernel, one after the other, on CUDA's thread. */
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM host_functions h, operations o"
				    " WHERE h.start_ns < o.end_ns OR h.stream_handle <> %lld"
				    " OR h.thread_id = %d",
				    printed(run, "stream "), (int)run->pid),
			 0);
	assert_int_equal(run_number(run, "SELECT count(DISTINCT call_id)"
					 " FROM named_host_functions"),
			 4);
	assert_int_equal(run_number(run, "SELECT count(*) FROM threads"), 2);
	assert_int_equal(run_number(run, "SELECT count(DISTINCT offset) FROM host_functions"
					 " JOIN modules m ON m.id = module_id"
					 " WHERE m.path LIKE '%%/work_app'"),
			 2);
	assert_int_equal(run_number(run, "SELECT max(runs) FROM top_host_functions"), 3);
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM named_calls"
				    " WHERE class = 'host-function' AND stream_handle = %lld",
				    printed(run, "stream ")),
			 5);
}

TEST_RUN(test_many_host_functions_lose_nothing)
{
	trace_scenario(run, "many-host-functions", NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM host_functions"), 2000);
	assert_int_equal(run_number(run, "SELECT count(DISTINCT call_id)"
					 " FROM named_host_functions"),
			 2000);
}

TEST(test_refused_host_functions_are_taken_back)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* a million calls take minutes */
#else
	struct run run;

	run_start(&run, APP_PATH, "refused-host-functions", true, NULL);
	assert_int_equal(run.status, 0);
	assert_string_equal(run.err, "");
	run_open(&run);
	assert_int_equal(run_number(&run, "SELECT count(*) FROM losses"
					  " WHERE kind = 'host-function'"),
			 0);
	run_end(&run);
#endif
}

TEST_RUN(test_a_host_function_outlives_the_tracing)
{
	trace_scenario(run, "host-function-after-the-end", NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM host_functions"), 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM named_calls"
					 " WHERE name = 'cudaLaunchHostFunc'"),
			 2);
}

TEST_RUN(test_past_the_wrappers_they_are_timed_too)
{
	trace_scenario(run, "direct-host-function", NULL);
	assert_string_equal(run_text(run, "SELECT name FROM named_calls"
					  " WHERE class = 'host-function'"),
			    "cuLaunchHostFunc");
	assert_string_equal(run_text(run, "SELECT call FROM named_host_functions"),
			    "cuLaunchHostFunc");
}

TEST_RUN(test_graph_operations_lead_to_what_was_captured)
{
	trace_scenario(run, "graph", NULL);
	/* Twice as they are, and three launches of the graph. */
	assert_string_equal(run_text(run,
				     "SELECT group_concat(n) FROM (SELECT count(*) || ' ' ||"
				     " count(graph_node_id) AS n FROM operations GROUP BY kind)"),
			    "5 3,5 3,5 3");
	assert_int_equal(run_number(run, "SELECT sum(operations) - sum(matched)"
					 " FROM matched_operations"),
			 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations o"
					 " JOIN call_correlations USING (correlation_id)"
					 " JOIN named_calls c ON c.id = call_id"
					 " WHERE o.graph_node_id IS NOT NULL"
					 " AND c.class = 'graph-launch'"),
			 9);
	/* The captured call is the second of the three of its kind. */
	assert_int_equal(
		run_number(run,
			   "SELECT count(*) FROM operations o"
			   " JOIN node_calls n ON n.id = o.graph_node_id"
			   " JOIN named_calls c ON c.id = n.call_id WHERE c.class ="
			   " CASE o.kind WHEN 1 THEN 'launch' WHEN 2 THEN 'copy' ELSE 'set' END"
			   " AND (SELECT count(*) FROM named_calls b"
			   "      WHERE b.class = c.class AND b.id < c.id) = 1"),
		9);
	/* Captured, cloned, cloned again: four kinds each. */
	assert_string_equal(run_text(run,
				     "SELECT group_concat(n) FROM (SELECT c.class || ' ' ||"
				     " count(g.source_id) || ' ' || count(DISTINCT g.kind) AS n"
				     " FROM graph_nodes g JOIN named_calls c ON c.id = g.call_id"
				     " GROUP BY c.class = 'graph-build', c.class ="
				     " 'graph-instantiate' ORDER BY min(c.id))"),
			    "copy 0 4,graph-build 4 4,graph-instantiate 4 4");
	assert_int_equal(run_number(run, "SELECT count(*) FROM graph_nodes"), 12);
}

/* A launch is one operation, of the time of all its nodes; what was not in a graph is as it was. */
TEST_RUN(test_graphs_are_recorded_as_a_whole)
{
	const char *const whole[] = {"STREAMTRACE_GRAPHS=whole", NULL};

	trace_scenario(run, "graph", whole);
	assert_string_equal(
		run_text(run,
			 "SELECT group_concat(n) FROM (SELECT kind || ' ' || count(*) || ' ' ||"
			 " count(graph_node_id) AS n FROM operations GROUP BY kind)"),
		"1 2 0,2 2 0,3 2 0,4 3 0");
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM operations o"
				    " JOIN call_correlations USING (correlation_id)"
				    " JOIN named_calls c ON c.id = call_id"
				    " WHERE o.kind = 4 AND c.class = 'graph-launch'"
				    " AND o.end_ns - o.start_ns >= (SELECT max(end_ns - start_ns)"
				    " FROM operations WHERE kind = 1)"),
			 3);
}

/* Of the clone that was made executable; the executable graph's nodes lead to its nodes. */
TEST_RUN(test_graph_edges_are_recorded)
{
	const char *const programmatic[] = {"FAKE_PROGRAMMATIC_EDGES=1", NULL};

	trace_scenario(run, "graph", NULL);
	assert_string_equal(run_text(run,
				     "SELECT group_concat(f.kind || '>' || t.kind || ' ' || e.kind)"
				     " FROM graph_edges e JOIN graph_nodes f ON f.id = e.from_id"
				     " JOIN graph_nodes t ON t.id = e.to_id ORDER BY e.from_id"),
			    "1>0 0,0>2 0,2>3 0");
	assert_int_equal(run_number(run, "SELECT count(*) FROM graph_nodes x JOIN graph_edges e"
					 " ON e.from_id = x.source_id"
					 " WHERE x.id IN (SELECT graph_node_id FROM operations)"),
			 3);
	/* Which graph was cloned, and which one made executable. */
	assert_string_equal(
		run_text(run, "SELECT group_concat(m.name || '>' || u.name) FROM calls made"
			      " JOIN calls used ON used.src = made.object"
			      " JOIN functions m ON m.id = made.function_id"
			      " JOIN functions u ON u.id = used.function_id"
			      " WHERE made.end_ns <= used.start_ns ORDER BY used.id"),
		"cudaStreamEndCapture>cudaGraphClone,cudaGraphClone>cudaGraphInstantiateWithFlags");
	run_end(run);
	trace_scenario(run, "graph", programmatic);
	assert_string_equal(run_text(run, "SELECT group_concat(kind || ' ' || from_port)"
					  " FROM graph_edges"),
			    "1 1,1 1,1 1");
}

TEST_RUN(test_edges_of_child_graphs_are_recorded)
{
	trace_scenario(run, "child-graph", NULL);
	/* Two in the graph, one in its child, and the one into it: once, though it was made executable twice. */
	assert_string_equal(run_text(run,
				     "SELECT group_concat(f.kind || '>' || t.kind || ' ' || e.kind)"
				     " FROM graph_edges e JOIN graph_nodes f ON f.id = e.from_id"
				     " JOIN graph_nodes t ON t.id = e.to_id ORDER BY e.from_id"),
			    "0>0 0,0>4 0,4>0 256,0>0 0");
	assert_int_equal(run_number(run, "SELECT count(DISTINCT graph_node_id) FROM operations"),
			 4);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

/* The report's line of the finding; "": it has none. */
static void find_graph_serial(const struct run *run, char found[512])
{
	char command[512];
	FILE *pipe;

	snprintf(command, sizeof(command),
		 "%s report --all --format json %s | " CHECK_REPORT_PATH
		 " list - | grep ^graph-serial",
		 CLI_PATH, run->trace);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	if (!fgets(found, 512, pipe))
		*found = '\0';
	pclose(pipe);
}

/* From the recorded edges and arguments to the finding, at the line that captured the copy. With a sanitizer the host takes longer
 * for a launch than the stand-in's device, and no branch saves anything; on a busy machine in some runs, too. */
TEST(test_branches_of_a_captured_graph_are_found)
{
	char expected[64], found[512] = "";
	struct run run;

	if (IS_SANITIZED)
		skip();
	for (int i = 0; i < 20 && !*found; i++) {
		trace_scenario(&run, "graph-branches", NULL);
		snprintf(expected, sizeof(expected), "/work_app.c:%lld\n", printed(&run, "line "));
		find_graph_serial(&run, found);
		run_end(&run);
	}
	assert_non_null(strstr(found, expected));
}

/* Each graph has all of its edges or none, and once one has none, no other one is asked for: it counts 1. */
TEST_RUN(test_too_many_edges_are_counted)
{
	run_start(run, APP_PATH, "many-edges", true, NULL);
	assert_string_equal(run->err, "");
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM graph_edges"), 50 * 1999);
	assert_string_equal(run_text(run, "SELECT group_concat(kind || ' ' || total) FROM"
					  " (SELECT kind, sum(count) AS total FROM losses"
					  "  GROUP BY kind)"),
			    "graph-edges-lost 2008");
}

/* Those of a graph that is made executable again are known. */
TEST_RUN(test_the_same_edges_take_no_room)
{
	trace_scenario(run, "executable-again", NULL);
	assert_int_equal(run_number(run, "SELECT count(*) FROM graph_edges"), 1999);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

TEST_RUN(test_a_captured_function_runs_with_each_launch)
{
	trace_scenario(run, "graph", NULL);
	assert_string_equal(run_text(run, "SELECT group_concat(n) FROM (SELECT count(*) AS n"
					  " FROM named_host_functions GROUP BY call_id"
					  " ORDER BY call_id)"),
			    "1,3,1");
	/* It enqueued nothing: no operation has the id of a captured call. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM operations"
					 " JOIN call_correlations USING (correlation_id)"
					 " WHERE call_id IN (SELECT call_id FROM node_calls)"),
			 0);
}

TEST_RUN(test_graph_calls_are_recorded)
{
	trace_scenario(run, "graph", NULL);
	assert_string_equal(run_text(run,
				     "SELECT group_concat(name) FROM (SELECT name FROM named_calls"
				     " WHERE class LIKE 'graph-%%' ORDER BY start_ns)"),
			    "cudaStreamBeginCapture,cudaStreamEndCapture,cudaGraphClone,"
			    "cudaGraphInstantiateWithFlags,cudaGraphLaunch,cudaGraphLaunch,"
			    "cudaGraphLaunch,cudaGraphExecDestroy,cudaGraphDestroy,"
			    "cudaGraphDestroy");
}

TEST_RUN(test_host_nodes_keep_their_parameters)
{
	trace_scenario(run, "host-node", NULL);
	assert_string_equal(run_text(run, "SELECT group_concat(call) FROM named_host_functions"),
			    "cudaGraphAddHostNode,cudaGraphAddHostNode");
	/* Without a wrapper the driver's call has the nodes, and a call without a row has none. */
	assert_string_equal(
		run_text(run, "SELECT group_concat(name) FROM (SELECT coalesce(f.name, '-') AS"
			      " name FROM graph_nodes g LEFT JOIN calls c ON c.id = g.call_id"
			      " LEFT JOIN functions f ON f.id = c.function_id ORDER BY g.id)"),
		"cudaGraphAddHostNode,cuGraphInstantiateWithFlags,-");
}

TEST_RUN(test_pools_are_recorded)
{
	trace_scenario(run, "pools", NULL);
	assert_string_equal(
		run_text(run, "SELECT group_concat(n) FROM (SELECT operation || ' ' ||"
			      " coalesce(kept_bytes, '-') || ' ' || c.name AS n"
			      " FROM memory_pools JOIN call_correlations USING (correlation_id)"
			      " JOIN named_calls c ON c.id = call_id ORDER BY time_ns)"),
		"1 - cudaMemPoolCreate,3 8192 cudaMemPoolTrimTo,2 - cudaMemPoolDestroy");
	assert_int_equal(run_number(run,
				    "SELECT count(*) FROM memory_pools WHERE address = %lld"
				    " AND size_bytes = 33554432 AND utilized_bytes = 4096"
				    " AND release_threshold_bytes = 1048576 AND type = 1",
				    printed(run, "pool ")),
			 3);
	assert_int_equal(run_number(run, "SELECT count(*) FROM named_calls c"
					 " WHERE class = 'pool'"),
			 3);
}

static void check_managed(const char *wanted)
{
	const char *const environment[] = {wanted, NULL};
	struct run run;

	trace_scenario(&run, "managed", environment);
	assert_string_equal(run_text(&run, "SELECT value FROM metadata"
					   " WHERE key = 'managed_memory'"),
			    "on");
	assert_string_equal(
		run_text(&run,
			 "SELECT group_concat(n) FROM (SELECT kind || ' ' ||"
			 " coalesce(end_ns - start_ns, '-') || ' ' || coalesce(src_device_id, '-')"
			 " || ' ' || coalesce(dst_device_id, '-') || ' ' || value AS n"
			 " FROM managed_memory WHERE address = %lld ORDER BY kind)",
			 printed(&run, "managed ")),
		"1 500 - 0 8192,2 500 0 - 8192,3 - - - 2,4 500 - - 3");
	run_end(&run);
}

TEST(test_managed_memory_is_recorded)
{
	check_managed("FAKE_MANAGED=records");
}

TEST_RUN(test_uncounted_managed_memory_is_said)
{
	static const char *const refused[] = {"FAKE_MANAGED=refused", NULL};

	trace_scenario(run, "managed", refused);
	assert_string_equal(run_text(run, "SELECT value FROM metadata"
					  " WHERE key = 'managed_memory'"),
			    "CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED (28)");
	assert_string_equal(run_text(run, "SELECT value FROM metadata WHERE key = 'cupti'"), "on");
	assert_int_equal(run_number(run, "SELECT count(*) FROM managed_memory"), 0);
}

RUN_TESTS(NULL, NULL)
