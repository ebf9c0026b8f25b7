/*
 * check and diff as a build sees them: on the recordings, where each broken twin has a pitfall planted
 * and each fixed one has it fixed; on copies of them whose clock runs unevenly; and on hostile traces.
 */
#include "build_trace.h"
#include "cmocka_test.h"
#include "test_folder.h"

#include <glob.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static char *out, *errors; /* of the last run() */

/* Runs the program in the folder through a shell; returns its exit status. */
static int run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int run(const char *format, ...)
{
	char arguments[4096], command[5000], name[300];
	va_list values;
	int status;

	va_start(values, format);
	vsnprintf(arguments, sizeof(arguments), format, values);
	va_end(values);
	/* A redirection among the arguments comes last, and counts. */
	snprintf(command, sizeof(command), "cd %s && LC_ALL=C %s >stdout 2>stderr %s", folder,
		 CLI_PATH, arguments);
	status = system(command);
	free(out);
	free(errors);
	snprintf(name, sizeof(name), "%s/stdout", folder);
	out = read_file(name, NULL);
	snprintf(name, sizeof(name), "%s/stderr", folder);
	errors = read_file(name, NULL);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void check_status(int status, int expected)
{
	if (status != expected)
		fail_msg("exit status %d, not %d: %s%s", status, expected, out, errors);
}

static void check_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in '%s'", part, text);
}

/* The nth recording of a fixed twin and the broken one; false: there is none. */
static bool recording(size_t n, char *fixed, char *broken, size_t size)
{
	glob_t found = {0};
	bool ok;

	assert_int_equal(glob(RECORDINGS "/*.fixed.db", 0, NULL, &found), 0);
	ok = n < found.gl_pathc;
	if (ok) {
		const char *name = found.gl_pathv[n];

		snprintf(fixed, size, "%s", name);
		snprintf(broken, size, "%.*s.db", (int)(strlen(name) - strlen(".fixed.db")), name);
	}
	globfree(&found);
	return ok;
}

#ifdef __SANITIZE_ADDRESS__
/* Runs of the program take ten times as long there: of the recordings' pairs one in so many is run. */
enum { PAIRS_STEP = 4 };
#else
enum { PAIRS_STEP = 1 };
#endif

/* The column's times run as bend() says. */
static void add_column(char *sql, size_t size, const char *const column[2], unsigned int seed,
		       int percent)
{
	const char *name = column[1];
	const size_t length = strlen(sql);

	/* A wave of triangles: the time stays in order. */
	snprintf(sql + length, size - length,
		 "UPDATE %s SET %s = (SELECT zero + ((%s - zero) * 10 + "
		 "abs((%s - zero + period * %u / 97) %% period - period / 2) * 2) * %d / "
		 "1000 FROM t) WHERE %s IS NOT NULL;",
		 column[0], name, name, name, (seed * 31) % 97, percent, name);
}

/* The clock of an unpacked trace runs up to a fifth too fast or too slow, as the seed says, and all in all by the
 * factor of percent. */
static void bend(const char *name, unsigned int seed, int percent)
{
	static const char *const columns[][2] = {
		{"calls", "start_ns"},
		{"calls", "end_ns"},
		{"operations", "start_ns"},
		{"operations", "end_ns"},
		{"host_functions", "start_ns"},
		{"host_functions", "end_ns"},
		{"overheads", "start_ns"},
		{"overheads", "end_ns"},
		{"synchronizations", "start_ns"},
		{"synchronizations", "end_ns"},
		{"windows", "start_ns"},
		{"windows", "end_ns"},
		{"allocations", "time_ns"},
	};
	/* Since format 2.5. */
	static const char *const states[][2] = {{"host_states", "start_ns"},
						{"host_states", "end_ns"}};
	static const char table[] = "CREATE TABLE host_states";
	char sql[8192] = "CREATE TEMP TABLE t AS SELECT min(start_ns) AS zero, "
			 "(max(end_ns) - min(start_ns)) / 9 + 1 AS period FROM calls;";
	size_t size;
	char *bytes = read_file(name, &size);
	const bool has_states = memmem(bytes, size, table, strlen(table));

	free(bytes);
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		add_column(sql, sizeof(sql), columns[i], seed, percent);
	for (size_t i = 0; has_states && i < sizeof(states) / sizeof(*states); i++)
		add_column(sql, sizeof(sql), states[i], seed, percent);
	change_trace(name, sql);
}

static void copy_file(const char *source, const char *name)
{
	size_t size;
	char *bytes = read_file(source, &size);

	write_file(name, bytes, size);
	free(bytes);
}

static void unpack(const char *source, const char *name)
{
	copy_file(source, name);
	check_status(run("unpack %s", name), 0);
}

/* A copy whose clock bend() bends. */
static void make_copy(const char *source, const char *name, unsigned int seed, int percent)
{
	unpack(source, name);
	bend(name, seed, percent);
}

/* No alarm in fifty trials: copies of every recording against others. */
TEST_IN_FOLDER(test_same_twice)
{
	char fixed[300], broken[300], base[300], head[300], plain[2][300];
	unsigned int trial = 0;
	int status;

	snprintf(base, sizeof(base), "%s/base.db", folder);
	snprintf(head, sizeof(head), "%s/head.db", folder);
	snprintf(plain[0], sizeof(plain[0]), "%s/plain.0.db", folder);
	snprintf(plain[1], sizeof(plain[1]), "%s/plain.1.db", folder);
	for (size_t i = 0; recording(i, fixed, broken, sizeof(fixed)); i += PAIRS_STEP)
		for (int k = 0; k < 4; k++, trial++) {
			if (k < 2)
				unpack(k % 2 ? fixed : broken, plain[k]);
			copy_file(plain[k % 2], base);
			bend(base, 2 * trial, 100);
			copy_file(plain[k % 2], head);
			bend(head, 2 * trial + 1, 100);
			status = run("diff --no-measure base.db head.db");
			check_status(status, 0);
		}
	assert_true(trial * PAIRS_STEP >= 50);
}

/* Makes SIDE.0.db to SIDE.6.db of a recording. */
static void make_side(const char *source, const char *side, unsigned int seed, int percent)
{
	char plain[300], name[300];

	snprintf(plain, sizeof(plain), "%s/plain.db", folder);
	unpack(source, plain);
	for (unsigned int i = 0; i < 7; i++) {
		snprintf(name, sizeof(name), "%s/%s.%u.db", folder, side, i);
		copy_file(plain, name);
		bend(name, seed + i, percent);
	}
}

/* Twins that make the same calls at the finding's line: what differs is elsewhere, or their order. One trace of
 * each side cannot tell those apart, seven can. */
static bool is_fixed_elsewhere(const char *broken)
{
	static const char *const names[] = {"compile_in_loop", "file_read",	"graph_launch_gap",
					    "graph_serial",    "halo_exchange", "issue_order",
					    "lazy_load",       "loader_empty",	"lock_held",
					    "managed_faults",  "page_faults",	"pool_trim",
					    "preempted",       "priority",	"queue_alias",
					    "queue_full",      "single_buffer", "stack_resize"};
	const char *name = strrchr(broken, '/') + 1;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(name, names[i], strcspn(name, ".")) == 0)
			return true;
	return false;
}

static void check_seven(const char *fixed, const char *broken)
{
	make_side(fixed, "fixed", 0, 100);
	make_side(broken, "broken", 7, 100);
	check_status(run("diff --no-measure fixed.*.db vs broken.*.db"), 1);
	check_has(out, "FAILED: ");
	check_status(run("diff --no-measure broken.*.db vs fixed.*.db"), 0);
}

/* The self-test of the gate: a planted pitfall must fail it, its fix must pass. */
TEST_IN_FOLDER(test_planted_pitfalls)
{
	char fixed[300], broken[300];

	for (size_t i = 0; recording(i, fixed, broken, sizeof(fixed)); i += PAIRS_STEP) {
		bool needs_seven = is_fixed_elsewhere(broken);

		check_status(run("check --no-measure %s", fixed), 0);
		check_status(run("check --no-measure %s", broken), 1);
		check_has(out, "FAILED: denied");
		check_status(run("diff --no-measure %s %s", fixed, broken), needs_seven ? 4 : 1);
		check_has(out, needs_seven ? "undecided: " : "FAILED: ");
		check_status(run("diff --no-measure %s %s", broken, fixed), 0);
		if (needs_seven)
			check_seven(fixed, broken);
		else
			check_has(out, "gone: ");
		check_status(run("diff --no-measure %s %s", broken, broken), 0);
	}
}

TEST_IN_FOLDER(test_times)
{
	const char *source = RECORDINGS "/pageable_copy.db";

	make_side(source, "base", 0, 100);
	make_side(source, "head", 7, 100);
	make_side(source, "slow", 14, 160);
	check_status(run("diff --no-measure --times base.*.db vs head.*.db"), 0);
	check_has(out, "same: pageable-copy");
	check_status(run("diff --no-measure base.*.db vs slow.*.db"), 1);
	check_has(out, "FAILED: worse: pageable-copy");
	check_status(run("diff --no-measure slow.*.db vs head.*.db"), 0);
	check_has(out, "less: pageable-copy");
	check_status(run("diff --no-measure base.0.db vs slow.*.db"), 0);
	check_status(run("diff --no-measure --times base.0.db vs slow.*.db"), 4);
	check_has(out, "there are 1 and 7");
}

static json_t *object(const json_t *parent, const char *key)
{
	json_t *value = json_object_get(parent, key);

	if (!value)
		fail_msg("no %s", key);
	return value;
}

static double number(const json_t *parent, const char *key)
{
	return json_number_value(object(parent, key));
}

/* What diff says first: the predicted saving is what whatif says of all of base's fixes, and the realised one is that of
 * the medians. Savings are not added: the two findings of this place save 972 ms one by one, and less together. */
TEST_IN_FOLDER(test_three_numbers)
{
	const char *source = RECORDINGS "/pageable_copy.db",
		   *fixed = RECORDINGS "/pageable_copy.fixed.db";
	json_t *change, *whatif, *json;

	check_status(run("whatif --no-measure --apply=all --format=json %s", source), 0);
	whatif = json_loads(out, 0, NULL);
	check_status(run("diff --no-measure --format=json %s %s", source, fixed), 0);
	json = json_loads(out, 0, NULL);
	change = object(json, "change");
	assert_true(json_equal(object(change, "predicted_ns"), object(whatif, "saved_ns")));
	assert_int_equal((int)number(change, "gone"), 1);
	assert_true(number(object(change, "realised_ns"), "estimate") ==
		    number(object(object(change, "wall"), "base"), "median_ns") -
			    number(object(object(change, "wall"), "head"), "median_ns"));
	assert_int_equal((int)number(object(change, "realised_ns"), "percent"), 0);
	assert_int_equal((int)number(change, "left_findings"), 0);
	json_decref(json);
	json_decref(whatif);
	check_status(run("diff --no-measure %s %s", source, fixed), 0);
	assert_ptr_equal(
		strstr(out, "  - different arguments: base none, head --fixed\nwall time "), out);
	check_has(out, "fixed       1 finding: predicted saving 897 ms (range ");
	check_has(out, "its fix saved 897 ms (58.4 % of base's run)");
	check_has(out, "left        no finding\n");
	check_has(out, "one run each says nothing of the spread");
	check_status(run("diff --no-measure --format=github %s %s", source, fixed), 0);
	check_has(out, "\nfixed       1 finding: predicted saving 897 ms (range ");
}

/* One program in two checkouts, one of which has a blank in its name. */
TEST_IN_FOLDER(test_other_checkout)
{
	static const char *const pairs[][3] = {
		{"app", "/a/app --steps=9", "/my checkout/build/app --steps=9"},
		{"python3.12", "python3 /a/train.py --data=/a/data/x.bin /a/out/",
		 "/my env/bin/python3.12 b/train.py --data=../x.bin out"},
	};
	char base[300], head[300], sql[400];
	const char *source = RECORDINGS "/pageable_copy.db";

	snprintf(base, sizeof(base), "%s/base.db", folder);
	snprintf(head, sizeof(head), "%s/head.db", folder);
	make_copy(source, base, 0, 100);
	make_copy(source, head, 0, 100);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		for (int side = 0; side < 2; side++) {
			snprintf(sql, sizeof(sql),
				 "UPDATE metadata SET value = CASE key WHEN 'program' THEN '%s' "
				 "ELSE '%s' END WHERE key IN ('program', 'command_line')",
				 pairs[i][0], pairs[i][1 + side]);
			change_trace(side ? head : base, sql);
			if (!side)
				continue;
			check_status(run("diff --no-measure %s %s", base, head), 0);
			assert_null(strstr(out, "different "));
		}
	change_trace(head, "UPDATE metadata SET value = 'python3 b/test.py s3://a/b --data=y' "
			   "WHERE key = 'command_line'");
	check_status(run("diff --no-measure %s %s", base, head), 0);
	check_has(out,
		  "different arguments: base train.py --data=x.bin out, head test.py s3://a/b\n");
}

/* Medians and an interval; the prediction is of base's run in the middle, whichever was read last. */
TEST_IN_FOLDER(test_several_runs)
{
	const char *source = RECORDINGS "/pageable_copy.db",
		   *fixed = RECORDINGS "/pageable_copy.fixed.db";
	json_t *json, *change;
	double predicted;

	make_side(source, "base", 0, 100);
	make_copy(source, path, 9, 300);
	check_status(run("diff --no-measure --format=json base.[012].db trace.db vs %s %s", fixed,
			 fixed),
		     0);
	json = json_loads(out, 0, NULL);
	change = object(json, "change");
	assert_int_equal((int)number(object(object(change, "wall"), "base"), "runs"), 4);
	assert_int_equal((int)number(object(object(change, "wall"), "head"), "runs"), 2);
	assert_int_equal((int)number(object(change, "realised_ns"), "percent"), 86);
	assert_true(number(object(change, "realised_ns"), "high") >
		    2 * number(object(change, "realised_ns"), "estimate"));
	predicted = number(object(change, "predicted_ns"), "estimate");
	assert_true(predicted > 8e8 && predicted < 1e9);
	json_decref(json);
	check_status(run("diff --no-measure base.[012].db trace.db vs %s %s", fixed, fixed), 0);
	check_has(out, ", 4 runs) -> ");
	check_has(out, " in all (86 %");
	assert_null(strstr(out, "one run each"));
}

TEST_IN_FOLDER(test_differences)
{
	make_copy(RECORDINGS "/pageable_copy.db", path, 0, 100);
	change_trace(path,
		     "UPDATE devices SET name = 'NVIDIA A1'; UPDATE metadata SET value = '999' "
		     "WHERE key = 'driver_version'");
	check_status(run("diff --no-measure trace.db %s", RECORDINGS "/sync_in_loop.db"), 1);
	check_has(out, "  - different programs: base pageable_copy, head sync_in_loop\n");
	check_has(out, "  - different GPUs: base NVIDIA A1, head NVIDIA H200\n");
	check_has(out, "  - different CUDA drivers: base 999, head ");
	check_has(out, "  - different input: the GPU ran 3.612 times as much in head");
	assert_true(strstr(out, "different input") < strstr(out, "wall time"));
	assert_true(strstr(out, "different input") < strstr(out, "FAILED"));
	check_status(run("diff --no-measure trace.db trace.db"), 0);
	assert_null(strstr(out, "different"));
}

/* An edit above the line moves it; a checkout in another folder moves all. */
TEST_IN_FOLDER(test_moved_lines)
{
	const char *source = RECORDINGS "/pageable_copy.db";
	char head[300];

	snprintf(head, sizeof(head), "%s/head.db", folder);
	make_copy(source, head, 3, 100);
	change_trace(head, "UPDATE frames SET line = line + 100, file = '/other/' || file WHERE "
			   "line > 0");
	check_status(run("diff --no-measure %s head.db", source), 0);
	check_has(out, "same: pageable-copy");
	check_has(out, "at /other/samples/pageable_copy.cu:126 in run, moved from "
		       "samples/pageable_copy.cu:26 in run\n");
	check_status(run("check --no-measure --root=/other/ head.db"), 1);
	check_has(out, "at samples/pageable_copy.cu:126 in run");
	check_status(run("check --no-measure --root=/othe head.db"), 1);
	check_has(out, "at /other/samples/pageable_copy.cu:126 in run");
}

/* Twice the turns of the loop: all that happened once more, behind it. */
TEST_IN_FOLDER(test_more_turns)
{
	const char *source = RECORDINGS "/pageable_copy.db";

	make_copy(source, path, 0, 100);
	change_trace(path,
		     "CREATE TEMP TABLE m AS SELECT max(id) AS id, max(end_ns) - min(start_ns) + "
		     "1000000 AS ns FROM calls;"
		     "CREATE TEMP TABLE c AS SELECT * FROM calls;"
		     "UPDATE c SET id = id + (SELECT id FROM m), correlation_id = correlation_id + "
		     "1000000, start_ns = start_ns + (SELECT ns FROM m), end_ns = end_ns + (SELECT "
		     "ns FROM m);"
		     "CREATE TEMP TABLE o AS SELECT * FROM operations;"
		     "UPDATE o SET id = NULL, correlation_id = correlation_id + 1000000, start_ns "
		     "= start_ns + (SELECT ns FROM m), end_ns = end_ns + (SELECT ns FROM m);"
		     "INSERT INTO calls SELECT * FROM c; INSERT INTO operations SELECT * FROM o;"
		     "UPDATE windows SET end_ns = end_ns + (SELECT ns FROM m);");
	check_status(run("diff --no-measure %s trace.db", source), 0);
	check_has(out, "same: pageable-copy");
	check_has(out, "the GPU ran 2 times as much in head");
	check_status(run("diff --no-measure trace.db %s", source), 0);
	check_has(out, "same: pageable-copy");
	change_trace(path, "UPDATE operations SET src_kind = 2 WHERE copy_kind = 1");
	check_status(run("diff --no-measure trace.db %s", source), 1);
	check_has(out, "calls 98 -> 196");
}

/* A copy of pageable memory is another kind of call than one of pinned memory. */
TEST_IN_FOLDER(test_kinds_of_calls)
{
	const char *source = RECORDINGS "/pageable_copy.db";

	make_copy(source, path, 0, 100);
	change_trace(path, "UPDATE operations SET src_kind = 2 WHERE copy_kind = 1");
	check_status(run("diff --no-measure trace.db %s", source), 1);
	check_has(out, "worse: pageable-copy");
	check_has(out, "calls 49 -> 98");
	check_status(run("diff --no-measure --deny=pageable-copy %s trace.db", source), 0);
	check_has(out, "less: pageable-copy");
}

static void write_list(const char *text)
{
	char name[300];

	snprintf(name, sizeof(name), "%s/allow.txt", folder);
	write_file(name, text, strlen(text));
}

/* Listed in head alone, but its place makes the same calls on both sides. */
TEST_IN_FOLDER(test_undecided)
{
	const char *sides = RECORDINGS "/host_bound.fixed.db " RECORDINGS "/host_bound.db";

	check_status(run("diff --no-measure --deny=host-bound %s", sides), 4);
	check_has(out, "undecided: host-bound");
	check_has(out, "inconclusive: too few traces");
	check_status(run("diff --no-measure --deny=free-sync %s", sides), 0);
	write_list("host-bound host_bound.cu -- it is known\n");
	check_status(run("diff --no-measure --deny=host-bound --allow=allow.txt %s", sides), 0);
}

/* Both lines copy one buffer: one finding, which an entry for either of them allows; diff goes by line. */
TEST_IN_FOLDER(test_lines_with_one_cause)
{
	char name[300];

	snprintf(name, sizeof(name), "%s/one_buffer.db", folder);
	make_copy(RECORDINGS "/pageable_copy.db", name, 0, 100);
	change_trace(name, "UPDATE calls SET src = 140000000000000 WHERE correlation_id IN "
			   "(SELECT correlation_id FROM operations WHERE copy_kind = 1);"
			   "UPDATE calls SET dst = 140000000000000 WHERE correlation_id IN "
			   "(SELECT correlation_id FROM operations WHERE copy_kind = 2);"
			   "UPDATE frames SET function = '_Z6uploadv' WHERE line = 22");
	check_status(run("check --no-measure --deny=pageable-copy %s", name), 1);
	check_has(out, "failed: 1 finding\n");
	check_has(out, "also at ");
	check_has(out, "samples/pageable_copy.cu:22 in");
	write_list("pageable-copy pageable_copy.cu:upload -- it is what it shows\n");
	check_status(run("check --no-measure --deny=pageable-copy --allow=allow.txt %s", name), 0);
	check_status(run("diff --no-measure --deny=pageable-copy %s %s",
			 RECORDINGS "/pageable_copy.fixed.db", name),
		     1);
	check_has(out, "pageable_copy.cu:22");
	check_has(out, "pageable_copy.cu:26");
	check_status(run("report --no-measure --site=upload %s", name), 0);
	check_has(out, "one buffer, 98 copies: ");
}

/* How often the part is in the output of the last run(). */
static size_t count_parts(const char *part)
{
	size_t count = 0;

	for (const char *at = out; (at = strstr(at, part)); at += strlen(part))
		count++;
	return count;
}

/* A line's small and its large copies are two findings. check has a row for each, with a fingerprint of its own; diff
 * compares both together, so that a side with copies of one size alone has the same finding. */
TEST_IN_FOLDER(test_line_with_two_sizes)
{
	const char *small = "\"pageable-copy pageable_copy.cu:run (up to 64 KB)\"";
	char name[300];

	snprintf(name, sizeof(name), "%s/sizes.db", folder);
	make_copy(RECORDINGS "/pageable_copy.db", name, 0, 100);
	change_trace(name, "CREATE TEMP TABLE small AS SELECT correlation_id FROM operations "
			   "WHERE copy_kind = 1 AND id % 2;"
			   "UPDATE operations SET size_bytes = 16384 WHERE correlation_id IN small;"
			   "UPDATE calls SET size_bytes = 16384, src = 150000000000000 "
			   "WHERE correlation_id IN small");
	check_status(run("check --no-measure --deny=pageable-copy sizes.db sizes.db"), 1);
	check_has(out, "failed: 3 findings\n");
	check_status(run("check --no-measure --format=json sizes.db sizes.db"), 1);
	check_has(out, "copies up to 64 KB: in 2 of 2 traces; ");
	check_has(out, "copies over 64 KB: in 2 of 2 traces; ");
	check_status(run("check --no-measure --format=sarif sizes.db"), 1);
	assert_int_equal(count_parts(small), 1);
	assert_int_equal(count_parts("\"startLine\": 22"), 2);
	check_status(run("check --no-measure --format=junit sizes.db"), 1);
	check_status(run("report --no-measure --site=pageable_copy.cu:22 sizes.db"), 0);
	check_has(out, "pageable_copy.cu:22 (up to 64 KB)");
	check_has(out, "pageable_copy.cu:22 (over 64 KB)");
	check_status(run("diff --no-measure sizes.db sizes.db"), 0);
	check_status(run("diff --no-measure %s sizes.db", RECORDINGS "/pageable_copy.db"), 0);
	check_status(run("diff --no-measure sizes.db %s", RECORDINGS "/pageable_copy.fixed.db"), 0);
	check_status(run("diff --no-measure %s sizes.db", RECORDINGS "/pageable_copy.fixed.db"), 1);
	assert_int_equal(count_parts("new: pageable-copy"), 1);
	write_list("pageable-copy pageable_copy.cu:run -- it is what it shows\n");
	check_status(run("check --no-measure --allow=allow.txt sizes.db"), 0);
}

/* What is not allowed counts, though the finding behind it is allowed. */
TEST_IN_FOLDER(test_half_is_allowed)
{
	char name[300];

	snprintf(name, sizeof(name), "%s/half.db", folder);
	make_copy(RECORDINGS "/pageable_copy.db", name, 0, 100);
	change_trace(name, "UPDATE frames SET function = '_Z6uploadv' WHERE line = 22");
	write_list("pageable-copy pageable_copy.cu:upload -- it is what it shows\n");
	check_status(run("check --no-measure --allow=allow.txt --max-lost=5%% %s", name), 1);
	check_status(run("check --no-measure --allow=allow.txt --max-lost=45%% %s", name), 0);
	check_status(run("check --no-measure --max-lost=45%% %s", name), 1);
}

TEST_IN_FOLDER(test_what_is_allowed)
{
	const char *source = RECORDINGS "/pageable_copy.db";

	write_list("pageable-copy pageable_copy.cu:run -- it is what it shows\n"
		   "free-sync gone.cu -- removed in spring\n");
	check_status(run("check --no-measure --allow=allow.txt %s", source), 0);
	check_has(out, "allowed: it is what it shows");
	check_has(out, "allow.txt:2: nothing matches free-sync gone.cu");
	check_status(run("check --no-measure --allow=allow.txt --max-lost=5%% %s", source), 0);
	check_status(run("check --no-measure --max-lost=5%% %s", source), 1);
	check_has(out, "the limit is 5 %");
	check_status(run("check --no-measure --max-lost=90 %s", source), 0);
	check_status(run("check --no-measure --deny=free-sync,sync-in-loop %s", source), 0);
	check_has(out, "found: pageable-copy");
	check_status(run("diff --no-measure --allow=allow.txt %s %s",
			 RECORDINGS "/pageable_copy.fixed.db", source),
		     0);
	check_status(run("diff --no-measure --deny=free-sync %s %s",
			 RECORDINGS "/pageable_copy.fixed.db", source),
		     0);
	write_list("pageable-copy pageable_copy.cu\n");
	check_status(run("check --allow=allow.txt %s", source), 3);
	check_has(errors, "allow.txt: line 1: no reason");
	check_status(run("check --allow=missing.txt %s", source), 3);
	check_status(run("check --deny=free %s", source), 2);
	check_status(run("check --max-lost=5x %s", source), 2);
	check_status(run("check --format=xml %s", source), 2);
	check_status(run("diff %s", source), 2);
	check_status(run("diff %s vs", source), 2);
	check_status(run("diff %s %s %s", source, source, source), 2);
	check_status(run("diff missing.db %s", source), 3);
}

/* A trace that cannot tell does not pass, and what it does show fails nevertheless. */
TEST_IN_FOLDER(test_losses)
{
	static const char loss[] = "INSERT INTO losses (id, kind, count, time_ns) VALUES (1000, "
				   "'ring-overflow', 100000, 0)";
	char fixed[300];

	snprintf(fixed, sizeof(fixed), "%s/fixed.db", folder);
	make_copy(RECORDINGS "/wide_sync.fixed.db", fixed, 0, 100);
	make_copy(RECORDINGS "/wide_sync.db", path, 0, 100);
	change_trace(fixed, loss);
	change_trace(path, loss);
	check_status(run("check --no-measure fixed.db"), 4);
	check_has(out, "inconclusive: fixed.db: 100000 calls were dropped");
	check_status(run("check --no-measure trace.db"), 1);
	/* What base lost may be what is new. */
	check_status(run("diff --no-measure fixed.db %s", RECORDINGS "/wide_sync.db"), 4);
	check_status(run("diff --no-measure %s trace.db", RECORDINGS "/wide_sync.fixed.db"), 1);
	/* A little can be lost: less than 0.5 %. */
	change_trace(fixed, "UPDATE losses SET count = 1 WHERE id = 1000");
	check_status(run("check --no-measure fixed.db"), 0);
	change_trace(fixed, "UPDATE losses SET count = (SELECT count(*) FROM calls) / 50");
	check_status(run("check --no-measure fixed.db"), 4);
	change_trace(fixed, "DELETE FROM losses WHERE id = 1000; UPDATE metadata SET value = "
			    "'running' WHERE key = 'end'");
	check_status(run("check --no-measure fixed.db"), 4);
	check_has(out, "was killed");
	build_trace(path, NULL, "INSERT INTO metadata VALUES ('cupti', 'on'), ('end', 'exit')");
	check_status(run("check trace.db"), 4);
	check_has(out, "nothing ran on a GPU");
}

/* A device that did its work in the opposite order: no schedule takes that time, and the replay misses
 * it. What is found then can fail nothing as new, and nothing passes. */
TEST_IN_FOLDER(test_failed_self_check)
{
	static const char reverse[] =
		"CREATE TEMP TABLE t AS SELECT min(start_ns) + max(end_ns) AS sum FROM operations;"
		"UPDATE operations SET start_ns = (SELECT sum FROM t) - end_ns, "
		"end_ns = (SELECT sum FROM t) - start_ns;";
	const char *fixed = RECORDINGS "/wide_sync.fixed.db";

	make_copy(fixed, path, 0, 100);
	change_trace(path, reverse);
	check_status(run("check --no-measure trace.db"), 4);
	check_has(out, "inconclusive: trace.db: the self-check failed");
	check_has(out, "check inconclusive: 1 reason");
	check_status(run("check --no-measure --format=sarif trace.db"), 4);
	check_status(run("diff --no-measure %s trace.db", fixed), 4);
	check_has(out, "inconclusive: trace.db: the self-check failed");
	check_status(run("diff --no-measure trace.db %s", RECORDINGS "/wide_sync.db"), 4);
	check_status(run("diff --no-measure %s %s", fixed, fixed), 0);
}

/* A copy of the trace as the process of that rank; rank NULL: of none. */
static void make_rank(const char *source, const char *side, const char *rank)
{
	char name[300], sql[200];

	snprintf(name, sizeof(name), "%s/%s.%s.db", folder, side, rank ? rank : "none");
	make_copy(source, name, 0, 100);
	if (!rank)
		return;
	snprintf(sql, sizeof(sql), "INSERT OR REPLACE INTO metadata VALUES ('rank', '%s')", rank);
	change_trace(name, sql);
}

/* A pitfall on one of four ranks fails, and is named; traces of a rank are compared with its own. */
TEST_IN_FOLDER(test_ranks)
{
	static const char *const ranks[] = {"0", "1", "2", "10"};
	const char *fixed = RECORDINGS "/wide_sync.fixed.db", *broken = RECORDINGS "/wide_sync.db";
	char name[300];

	for (int i = 0; i < 4; i++) {
		make_rank(i == 3 ? broken : fixed, "base", ranks[i]);
		make_rank(i % 2 ? broken : fixed, "head", ranks[i]);
	}
	check_status(run("diff --no-measure base.*.db vs base.*.db"), 0);
	check_has(out, "same: wide-sync");
	check_has(out, "on rank 10: ");
	check_has(out, "and rank, there are");
	check_status(run("diff --no-measure base.*.db vs head.*.db"), 1);
	check_has(out, "FAILED: new: wide-sync");
	check_has(out, "on rank 1: ");
	check_status(run("diff --no-measure head.*.db vs base.*.db"), 0);
	check_has(out, "on rank 10: ");
	/* All but the last. */
	for (int i = 0; i < 3; i++)
		make_rank(broken, "head", ranks[i]);
	check_status(run("diff --no-measure base.*.db vs head.*.db"), 1);
	check_has(out, "on ranks 0 to 2;");
	check_status(run("check --no-measure head.*.db"), 1);
	check_has(out, "db (rank 0): ");
	/* One that is missing, or has no rank, may be the one that matters. */
	snprintf(name, sizeof(name), "%s/head.10.db", folder);
	remove(name);
	make_rank(fixed, "head", NULL);
	for (int i = 0; i < 3; i++)
		make_rank(fixed, "head", ranks[i]);
	check_status(run("diff --no-measure base.*.db vs head.*.db"), 4);
	check_has(out, "inconclusive: base has no trace of the processes without a rank");
	check_has(out, "inconclusive: head has no trace of rank 10");
	/* None in common: the traces of a side are runs of one program. */
	check_status(run("diff --no-measure base.0.db vs head.none.db"), 0);
}

/* Two findings, each of them in one of two traces. */
TEST_IN_FOLDER(test_each_finding_has_its_traces)
{
	make_rank(RECORDINGS "/sync_in_loop.db", "one", "0");
	make_rank(RECORDINGS "/wide_sync.db", "one", "1");
	check_status(run("check --no-measure one.0.db one.1.db"), 1);
	check_has(out, "1 of 2");
	check_has(strstr(out, "1 of 2") + 1, "1 of 2");
}

/* What the schema of SARIF 2.1.0 requires, and what readers need. */
static void check_sarif(const char *text, size_t results)
{
	json_t *root = json_loads(text, 0, NULL), *result, *sarif_run;
	size_t i;

	assert_non_null(root);
	assert_string_equal(json_string_value(object(root, "version")), "2.1.0");
	assert_int_equal(json_array_size(object(root, "runs")), 1);
	sarif_run = json_array_get(object(root, "runs"), 0);
	object(object(object(sarif_run, "tool"), "driver"), "name");
	assert_true(json_is_boolean(object(json_array_get(object(sarif_run, "invocations"), 0),
					   "executionSuccessful")));
	assert_int_equal(json_array_size(object(sarif_run, "results")), results);
	json_array_foreach(object(sarif_run, "results"), i, result)
	{
		json_t *rules = object(object(object(sarif_run, "tool"), "driver"), "rules");
		json_t *rule = json_array_get(
			rules, (size_t)json_integer_value(object(result, "ruleIndex")));
		json_t *place =
			object(json_array_get(object(result, "locations"), 0), "physicalLocation");
		const char *uri =
			json_string_value(object(object(place, "artifactLocation"), "uri"));

		object(object(result, "message"), "text");
		assert_string_equal(json_string_value(object(rule, "id")),
				    json_string_value(object(result, "ruleId")));
		assert_int_equal(strspn(uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					     "0123456789-._~/%:"),
				 strlen(uri));
	}
	json_decref(root);
}

TEST_IN_FOLDER(test_formats)
{
	const char *source = RECORDINGS "/pageable_copy.db";
	char name[300], *text;
	json_t *json;

	check_status(
		run("check --no-measure --format=json --sarif=r.sarif --junit=r.xml %s", source),
		1);
	json = json_loads(out, 0, NULL);
	assert_non_null(json);
	assert_string_equal(json_string_value(object(json, "status")), "failed");
	assert_int_equal(json_array_size(object(json, "findings")), 2);
	json_decref(json);
	snprintf(name, sizeof(name), "%s/r.sarif", folder);
	text = read_file(name, NULL);
	check_sarif(text, 2);
	free(text);
	snprintf(name, sizeof(name), "%s/r.xml", folder);
	text = read_file(name, NULL);
	check_has(text, "tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"0\"");
	check_has(text, "file=\"samples/pageable_copy.cu\" line=\"26\"");
	free(text);
	check_status(run("check --no-measure --format=github %s", source), 1);
	check_has(out, "::error title=pageable-copy%3A denied,file=samples/pageable_copy.cu,"
		       "line=26::");
	check_status(run("diff --no-measure --format=sarif %s %s",
			 RECORDINGS "/pageable_copy.fixed.db", source),
		     1);
	check_sarif(out, 1);
	check_has(out, "\"baselineState\": \"new\"");
	check_status(run("diff --no-measure --format=sarif %s %s", source,
			 RECORDINGS "/pageable_copy.fixed.db"),
		     0);
	check_sarif(out, 0);
}

/* Well formed, as far as texts can break it: no byte that XML does not allow, no markup but ours. */
static void check_xml(const char *text)
{
	static const char *const tags[] = {"?xml ",	 "testsuite", "/testsuite", "testcase",
					   "/testcase",	 "failure",   "/failure",   "skipped",
					   "/skipped",	 "error",     "/error",	    "system-out",
					   "/system-out"};

	for (const char *c = text; *c; c++) {
		size_t i = 0;

		assert_true((unsigned char)*c >= ' ' || *c == '\n');
		assert_int_not_equal(strncmp(c, "\xef\xbf\xbf", 3), 0);
		if (*c == '&')
			assert_true(!strncmp(c, "&lt;", 4) || !strncmp(c, "&gt;", 4) ||
				    !strncmp(c, "&amp;", 5) || !strncmp(c, "&quot;", 6));
		if (*c != '<')
			continue;
		while (i < sizeof(tags) / sizeof(*tags) &&
		       strncmp(c + 1, tags[i], strlen(tags[i])) != 0)
			i++;
		if (i == sizeof(tags) / sizeof(*tags))
			fail_msg("markup: %.60s", c);
	}
}

/* Each line of annotations is one of ours. */
static void check_annotations(const char *text)
{
	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		assert_true(!strncmp(line, "::error title=", 14) ||
			    !strncmp(line, "::warning title=", 16) ||
			    !strncmp(line, "::notice title=", 15) ||
			    !strncmp(line, "streamtrace check ", 18));
}

TEST_IN_FOLDER(test_hostile_names)
{
	make_copy(RECORDINGS "/pageable_copy.db", path, 0, 100);
	change_trace(path,
		     "UPDATE frames SET file = '/a b/<x>&\"' || char(10, 13, 27, 65535, 8238) || "
		     "'%0A::error file=x,line=1::no' || CAST(x'ff41' AS TEXT) || ']]>.cu', "
		     "function = '</testcase>' || char(10) || '::stop-commands::x' WHERE file IS "
		     "NOT NULL; UPDATE strings SET text = '<script>' || char(10) || '::error::x'");
	check_status(run("check --no-measure --format=json --sarif=r.sarif trace.db"), 1);
	check_status(run("check --no-measure --format=sarif trace.db"), 1);
	check_sarif(out, 2);
	check_status(run("check --no-measure --format=junit trace.db"), 1);
	check_xml(out);
	check_status(run("check --no-measure --format=github trace.db"), 1);
	check_annotations(out);
	assert_null(strstr(out, "\n::stop"));
	check_has(out, "%250A%3A%3Aerror file=x%2Cline=1%3A%3Ano");
	check_status(run("check --no-measure trace.db"), 1);
	assert_null(strchr(out, '\033'));
	assert_null(strstr(out, "\xe2\x80\xae")); /* 8238, from right to left */
}

TEST_IN_FOLDER(test_output_that_cannot_be_written)
{
	static const char *const outputs[] = {">/dev/full", ">&-", "--sarif=/dev/full",
					      "--junit=/no/such/folder"};
	const char *source = RECORDINGS "/wide_sync.db";

	for (size_t i = 0; i < sizeof(outputs) / sizeof(*outputs); i++) {
		check_status(run("check --no-measure %s %s", source, outputs[i]), 3);
		assert_ptr_equal(strchr(errors, '\n'), strrchr(errors, '\n'));
		check_status(run("diff --no-measure %s %s %s", source, source, outputs[i]), 3);
		assert_ptr_equal(strchr(errors, '\n'), strrchr(errors, '\n'));
	}
	check_status(run("report --no-measure %s >&-", source), 3);
	check_status(run("--version >&-"), 3);
}

/* check and diff take no notice of what saves less than --min, and never of nothing. */
TEST_IN_FOLDER(test_min)
{
	const char *source = RECORDINGS "/pageable_copy.db",
		   *fixed = RECORDINGS "/pageable_copy.fixed.db";

	check_status(run("check --no-measure --min=500ms %s", source), 1);
	check_has(out, "found: pageable-copy");
	check_has(out, "failed: 1 finding\n");
	check_status(run("check --no-measure --min=33%% %s", source), 1);
	check_has(out, "failed: 1 finding\n");
	check_status(run("check --no-measure --min=1s %s", source), 0);
	check_status(run("check --no-measure --min=40%% %s", source), 0);
	check_status(run("diff --no-measure --min=40%% %s %s", fixed, source), 0);
	check_has(out, "new: pageable-copy");
	check_status(run("diff --no-measure --min=33%% %s %s", fixed, source), 1);
	check_status(run("check --min=5 %s", source), 2);
	check_has(errors, "--min=5: the value must be a time (10ms) or a share (2%)");
}

/* Where baselines are: in the test's folder, as a repository or by XDG_DATA_HOME. */
static void set_up_baselines(bool is_repository)
{
	char name[300];

	snprintf(name, sizeof(name), "%s/data", folder);
	setenv("XDG_DATA_HOME", name, 1);
	snprintf(name, sizeof(name), "%s/.git", folder);
	if (is_repository)
		write_file(name, "gitdir: elsewhere\n", 18);
}

static char *read_baseline(const char *name)
{
	char file[300];

	snprintf(file, sizeof(file), "%s/%s", folder, name);
	return read_file(file, NULL);
}

/* A baseline says of a diff what its traces do. */
TEST_IN_FOLDER(test_baseline)
{
	const char *source = RECORDINGS "/pageable_copy.db",
		   *fixed = RECORDINGS "/pageable_copy.fixed.db";
	const char *at = ".streamtrace/baselines/main.json";
	char *text, *again, *by_traces;

	set_up_baselines(true);
	check_status(run("baseline list"), 0);
	check_has(errors, "no baselines");
	check_status(run("baseline save main --no-measure %s", source), 0);
	check_has(errors, "saved baseline main: ");
	text = read_baseline(at);
	check_status(run("baseline save main --no-measure %s", source), 0);
	check_has(errors, "replaced baseline main: ");
	again = read_baseline(at);
	assert_string_equal(text, again);
	free(again);
	free(text);
	check_status(run("baseline list"), 0);
	assert_string_equal(out, "main: 1 run of pageable_copy on NVIDIA H200, 1.53 s, "
				 "897 ms (58.4 %) to be won back\n");
	check_status(run("diff --no-measure %s %s", source, fixed), 0);
	by_traces = out;
	out = NULL;
	check_status(run("diff --no-measure --against=main %s", fixed), 0);
	assert_string_equal(out, by_traces);
	free(by_traces);
	check_status(run("diff --no-measure --against=main --format=json %s", source), 0);
	check_has(out, "\"main (pageable_copy.db)\"");
	check_status(run("baseline save fixed --no-measure %s %s", fixed, fixed), 0);
	check_status(run("baseline list"), 0);
	check_has(out, "fixed: 2 runs of pageable_copy on NVIDIA H200, 820 ms, 0 ns (0.0 %)");
	check_status(run("diff --no-measure --against=fixed %s", source), 1);
	check_has(out, "FAILED: new: pageable-copy");
}

/* What the baseline has, and is not worse, may stay. */
TEST_IN_FOLDER(test_check_against)
{
	const char *source = RECORDINGS "/pageable_copy.db";

	set_up_baselines(true);
	check_status(run("baseline save main --no-measure %s", source), 0);
	check_status(run("check --no-measure --against=main %s %s", source, source), 0);
	check_has(out, "allowed: pageable-copy at ");
	check_has(out, "allowed: in baseline main\n");
	check_has(out, "in 2 of 2 traces");
	check_status(run("check --no-measure --against=main --format=github %s", source), 0);
	check_has(out, "title=pageable-copy%3A allowed,file=");
	check_status(run("check --no-measure --against=main %s", RECORDINGS "/sync_in_loop.db"), 1);
	check_has(out, "FAILED: denied: sync-in-loop");
	check_has(out, "different programs: base pageable_copy, head sync_in_loop");
	check_status(
		run("check --against=main --sarif=.streamtrace/baselines/main.json %s", source), 2);
	check_has(errors, "main.json: is read, and would be replaced");
	/* Half of the copies were pinned then. */
	make_copy(source, path, 0, 100);
	change_trace(path, "UPDATE operations SET src_kind = 2 WHERE copy_kind = 1");
	check_status(run("baseline save half --no-measure trace.db"), 0);
	check_status(run("check --no-measure --against=half %s", source), 1);
	check_status(run("check --no-measure --against=half trace.db"), 0);
}

/* What diff cannot decide, check cannot either. */
TEST_IN_FOLDER(test_check_undecided)
{
	const char *source = RECORDINGS "/file_read.db";

	set_up_baselines(true);
	check_status(run("baseline save fixed --no-measure %s", RECORDINGS "/file_read.fixed.db"),
		     0);
	check_status(run("diff --no-measure --against=fixed %s", source), 4);
	check_has(out, "undecided: file-read");
	check_status(run("check --no-measure --against=fixed %s", source), 4);
	check_has(out, "undecided: file-read");
	check_has(out, "inconclusive: too few traces: file-read at ");
	check_has(out, "check inconclusive: 1 reason");
	write_list("file-read file_read.cu -- it is what it shows\n");
	check_status(run("check --no-measure --against=fixed --allow=allow.txt %s", source), 0);
	check_status(run("check --no-measure --against=fixed --deny=free-sync %s", source), 0);
	check_status(run("check --no-measure %s", source), 1);
}

TEST_IN_FOLDER(test_baseline_files)
{
	const char *source = RECORDINGS "/pageable_copy.db";
	const char *const names[] = {".x", "a/b", "../x", "-x", "''", "a\\ b"};
	char name[300], *text;

	set_up_baselines(false);
	check_status(run("baseline save main --no-measure %s", source), 0);
	check_has(errors, "/data/streamtrace/baselines/main.json");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		check_status(run("baseline save -- %s %s", names[i], source), 2);
		check_has(errors, "cannot name a baseline");
		check_status(run("check --against=%s %s", names[i], source), 2);
	}
	check_status(run("diff --against=other %s", source), 3);
	check_has(errors, "there is no baseline other");
	check_status(run("diff --against=main"), 2);
	check_status(run("baseline save main"), 2);
	check_status(run("baseline save main missing.db"), 3);
	check_status(run("baseline"), 2);
	check_status(run("baseline drop main"), 2);
	check_has(errors, "'drop' is neither save nor list");
	/* What is not ours stays, and is no baseline. */
	snprintf(name, sizeof(name), "%s/data/streamtrace/baselines/main.json", folder);
	write_file(name, "{}", 2);
	check_status(run("baseline save main --no-measure %s", source), 3);
	check_has(errors, "main.json: not replaced: is not a baseline");
	text = read_file(name, NULL);
	assert_string_equal(text, "{}");
	free(text);
	check_status(run("baseline list"), 3);
	check_status(run("check --against=main %s", source), 3);
	assert_ptr_equal(strchr(errors, '\n'), strrchr(errors, '\n'));
}

int main(int argc, char **argv)
{
	int failed = run_registered(argc, argv, NULL, NULL);

	free(out);
	free(errors);
	return failed;
}
