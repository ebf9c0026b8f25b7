/* Call sites, end to end: the lines of preload_app's calls, as deep as the stacks are taken. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_test.h"
#include "preload_run.h"

static void trace_scenario(struct run *run, const char *scenario)
{
	run_start(run, APP_PATH, scenario, true, NULL);
	assert_int_equal(run->status, 0);
	assert_string_equal(run->err, "");
	run_open(run);
}

/* Frame `depth` of the site lies in the program, and addr2line names that line for its call. */
static void check_frame(struct run *run, int64_t site, int depth, int line)
{
	char command[512], output[512], expected[64];
	int64_t offset;
	FILE *pipe;

	assert_string_equal(run_text(run,
				     "SELECT m.path FROM frames f JOIN modules m"
				     " ON m.id = f.module_id WHERE f.site_id = %" PRId64
				     " AND f.depth = %d",
				     site, depth),
			    APP_PATH);
	offset = run_number(run,
			    "SELECT offset FROM frames WHERE site_id = %" PRId64 " AND depth = %d",
			    site, depth);
	snprintf(command, sizeof(command), "addr2line -e %s 0x%" PRIx64, APP_PATH, offset - 1);
	snprintf(expected, sizeof(expected), "preload_app.c:%d", line);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_non_null(fgets(output, sizeof(output), pipe));
	pclose(pipe);
	if (!strstr(output, expected))
		fail_msg("the call of %s is said to be at %s", expected, output);
}

/* The program's `site LINE LAUNCHES` lines, in the order of its launches. */
static int check_sites(struct run *run, int depth)
{
	int line_number, launches, sites = 0;
	int64_t call = 0, site, before = 0;

	for (const char *line = run->out; (line = run_next_line(line, "site")); sites++) {
		assert_int_equal(sscanf(line, "%d %d", &line_number, &launches), 2);
		call = run_number(run,
				  "SELECT min(id) FROM calls WHERE id > %" PRId64
				  " AND site_id IS NOT NULL",
				  call);
		site = run_number(run, "SELECT site_id FROM calls WHERE id = %" PRId64, call);
		assert_int_not_equal(site, before);
		assert_int_equal(run_number(run,
					    "SELECT count(*) FROM calls WHERE site_id = %" PRId64,
					    site),
				 launches);
		check_frame(run, site, depth, line_number);
		call += launches - 1;
		before = site;
	}
	return sites;
}

TEST_RUN(test_call_sites_lead_to_the_lines)
{
	trace_scenario(run, "sites");
	assert_int_equal(check_sites(run, 0), 3);
	assert_int_equal(run_number(run, "SELECT count(*) FROM call_sites s WHERE depth <>"
					 " (SELECT count(*) FROM frames WHERE site_id = s.id)"),
			 0);
}

TEST_RUN(test_call_sites_see_behind_the_stub)
{
	trace_scenario(run, "stub-sites");
	assert_int_equal(check_sites(run, 1), 2);
}

/* Frames of the program's own beyond any key, and of sizes that vary. */
TEST_RUN(test_slow_calls_have_their_whole_stack)
{
	enum { DEPTH = 41 }; /* DEEP_FRAMES of the program, and the frame that calls CUDA */
	int line_number, waits = 0;
	int64_t site;

	trace_scenario(run, "deep-sites");
	for (const char *line = run->out; (line = run_next_line(line, "site")); waits++) {
		assert_int_equal(sscanf(line, "%d", &line_number), 1);
		site = run_number(run,
				  "SELECT site_id FROM named_calls WHERE class = 'stream-sync'"
				  " ORDER BY start_ns LIMIT 1 OFFSET %d",
				  waits);
		check_frame(run, site, DEPTH, line_number);
	}
	assert_int_equal(waits, 4);
	assert_int_equal(run_number(run, "SELECT count(DISTINCT site_id) FROM named_calls"
					 " WHERE class = 'stream-sync'"),
			 2);
	assert_int_equal(run_number(run, "SELECT count(*) FROM losses"), 0);
}

TEST_RUN(test_too_many_sites_are_counted)
{
	int64_t sites, shortened;

	trace_scenario(run, "many-sites");
	sites = run_number(run, "SELECT count(*) FROM call_sites");
	shortened = run_number(run, "SELECT coalesce(sum(count), 0) FROM losses"
				    " WHERE kind = 'stack-table-full'");
	print_message("%" PRId64 " sites, %" PRId64 " calls with less than their stack\n", sites,
		      shortened);
	assert_in_range(sites, 10000, 65536);
	assert_int_not_equal(shortened, 0);
	assert_int_equal(run_number(run, "SELECT count(*) FROM calls WHERE site_id IS NULL"), 0);
	/* They have their innermost frame, and none that is not theirs. */
	assert_int_equal(run_number(run, "SELECT count(*) FROM named_calls c JOIN call_sites s"
					 " ON s.id = c.site_id WHERE s.depth = 1"
					 " AND c.id < 10000"),
			 0);
	assert_in_range(run_number(run, "SELECT count(*) FROM named_calls c JOIN call_sites s"
					" ON s.id = c.site_id WHERE s.depth = 1"),
			1, shortened);
}

RUN_TESTS(NULL, NULL)
