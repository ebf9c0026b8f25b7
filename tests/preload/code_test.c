/* Device code that a program loads at run time, end to end on the stand-in device. */
#include <stdlib.h>

#include "cmocka_test.h"
#include "preload_run.h"

static void trace_scenario(struct run *run, const char *scenario)
{
	static const char *const environment[] = {"STREAMTRACE_RACES=1", NULL};

	run_start(run, APP_PATH, scenario, true, environment);
	assert_int_equal(run->status, 0);
	assert_string_equal(run->err, "");
	run_open(run);
}

static int64_t lost(struct run *run)
{
	return run_number(run,
			  "SELECT coalesce(sum(count), 0) FROM losses WHERE kind = 'code-lost'");
}

TEST_RUN(test_a_text_is_kept_once)
{
	trace_scenario(run, "texts");
	assert_string_equal(run_text(run, "SELECT group_concat(substr(CAST(image AS TEXT), 1, 8))"
					  " FROM (SELECT image FROM code_images ORDER BY image)"),
			    ".version,own");
	assert_int_equal(run_number(run, "SELECT count(*) FROM code_images"
					 " WHERE CAST(image AS TEXT) LIKE '%%{ ret; }%%'"),
			 1);
	assert_int_equal(lost(run), 0);
}

TEST_RUN(test_machine_code_ends_with_its_sections)
{
	trace_scenario(run, "elf");
	assert_int_equal(run_number(run, "SELECT length(image) FROM code_images"), atoi(run->out));
}

TEST_RUN(test_fat_binaries_of_files_are_left_out)
{
	trace_scenario(run, "fatbins");
	assert_string_equal(run_text(run, "SELECT group_concat(length(image) || ' ' ||"
					  " CAST(substr(image, 17) AS TEXT)) FROM"
					  " (SELECT image FROM code_images ORDER BY image)"),
			    "24 fatbin..,24 fatbin.2");
}

TEST_RUN(test_files_are_read)
{
	trace_scenario(run, "files");
	assert_int_equal(run_number(run, "SELECT count(*) FROM code_images"
					 " WHERE CAST(image AS TEXT) LIKE '.version%%ret; }%%'"),
			 1);
	assert_int_equal(lost(run), 1);
}

TEST_RUN(test_the_number_is_bounded)
{
	trace_scenario(run, "many");
	assert_int_equal(run_number(run, "SELECT count(*) FROM code_images"), 2048);
	assert_int_equal(lost(run), 3);
}

/* What does not fit leaves its room to others. */
TEST_RUN(test_the_bytes_are_bounded)
{
	trace_scenario(run, "large");
	assert_string_equal(run_text(run, "SELECT group_concat(CAST(substr(image, 1, 1) AS TEXT))"
					  " FROM (SELECT image FROM code_images ORDER BY image)"),
			    "a,c");
	assert_int_equal(lost(run), 1);
}

/* Only with --races. */
TEST_RUN(test_without_the_option_nothing_is_kept)
{
	run_start(run, APP_PATH, "texts", true, NULL);
	assert_int_equal(run->status, 0);
	run_open(run);
	assert_int_equal(run_number(run, "SELECT count(*) FROM code_images"), 0);
}

RUN_TESTS(NULL, NULL)
