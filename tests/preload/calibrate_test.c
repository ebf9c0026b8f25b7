/* What tracing adds to calls: `streamtrace calibrate` on the stand-in driver, and the report that uses
 * it. No number is right or wrong here but that it is there. */
#include "cmocka_test.h"
#include "preload_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define UUID "GPU-01234567-89ab-cdef-1032-547698badcfe"

static char cache[] = "/tmp/calibrate_test.XXXXXX", cache_entry[64];

TEST(test_calibrate)
{
	const char *const environment[] = {cache_entry, "LD_LIBRARY_PATH=" FAKE_FOLDER, NULL};
	char path[128], line[128], key[64];
	int keys = 0;
	double value;
	struct run run;
	FILE *file;

	run_start(&run, CLI_PATH, "calibrate", false, environment);
	assert_int_equal(run.status, 0);
	assert_string_equal(run.err, "");
	assert_int_equal(strncmp(run.out, UUID "\n", strlen(UUID) + 1), 0);
	assert_int_equal(run_lines(run.out), 24);
	run_end(&run);
	snprintf(path, sizeof(path), "%s/streamtrace/" UUID, cache);
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		assert_int_equal(sscanf(line, "%63s %lf", key, &value), 2);
		assert_true(value >= 0);
		keys++;
	}
	fclose(file);
	assert_int_equal(keys, 2 * 5 * 4 + 2);
}

/* The report finds it by the GPU of the trace; another trace stays as it is. */
TEST_RUN(test_report)
{
	const char *const environment[] = {cache_entry, NULL};
	char command[512], line[256];
	bool is_about = false;
	FILE *report;

	run_start(run, APP_PATH, "threads", true, environment);
	assert_int_equal(run->status, 0);
	snprintf(command, sizeof(command), "XDG_CACHE_HOME=%s '%s' report --format json '%s'",
		 cache, CLI_PATH, run->trace);
	report = popen(command, "r");
	assert_non_null(report);
	while (fgets(line, sizeof(line), report))
		is_about |= strstr(line, "\"untraced_doubt_ns\": ") && !strstr(line, ": 0,");
	assert_int_equal(pclose(report), 0);
	assert_true(is_about);
}

TEST_RUN(test_without_a_driver)
{
	const char *const environment[] = {cache_entry, "LD_LIBRARY_PATH=/nowhere",
					   "CUDA_VISIBLE_DEVICES=-1", NULL};

	run_start(run, CLI_PATH, "calibrate", false, environment);
	assert_true(WIFEXITED(run->status) && WEXITSTATUS(run->status) == 3);
	assert_string_equal(run->out, "");
	assert_int_equal(run_lines(run->err), 1);
}

static int remove_cache(void **state)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/streamtrace/" UUID, cache);
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	rmdir(cache);
	return 0;
}

int main(int argc, char **argv)
{
	if (!mkdtemp(cache))
		return 1;
	snprintf(cache_entry, sizeof(cache_entry), "XDG_CACHE_HOME=%s", cache);

	return run_registered(argc, argv, NULL, remove_cache);
}
