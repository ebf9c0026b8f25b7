/* The list of what is allowed, and how much more work one run did than another. */
#include "build_trace.h"
#include "cmocka_test.h"
#include "gate/allowed.h"
#include "gate/ids.h"
#include "gate/scale.h"
#include "test_folder.h"

#include <stdlib.h>
#include <string.h>

static struct allowed *load(const char *text)
{
	char *error = NULL;
	struct allowed *allowed;

	write_file(path, text, strlen(text));
	allowed = allowed_load(path, &error);
	if (!allowed)
		fail_msg("%s", error);
	return allowed;
}

static void check_reason(struct allowed *allowed, const char *id, const char *file,
			 const char *function, const char *expected)
{
	const char *reason = allowed_reason(allowed, id, file, function);

	if (!expected || !reason)
		assert_ptr_equal(reason, expected);
	else
		assert_string_equal(reason, expected);
}

TEST_IN_FOLDER(test_entries)
{
	struct allowed *allowed = load("# known\n"
				       "\n"
				       "pageable-copy load.cu:read_* -- the first\n"
				       "  pageable-copy\tsrc/load.cu \t --  the second \r\n"
				       "* old*.cu:ns::run -- a -- b\n"
				       "sync-in-loop libx.so -- no lines");
	size_t index = 0;

	check_reason(allowed, "pageable-copy", "/a/load.cu", "read_all", "the first");
	check_reason(allowed, "pageable-copy", "load.cu", "read_all", "the first");
	check_reason(allowed, "pageable-copy", "/a/load.cu", "write", NULL);
	check_reason(allowed, "pageable-copy", "/a/src/load.cu", "write", "the second");
	check_reason(allowed, "pageable-copy", "/a/xsrc/load.cu", "write", NULL);
	check_reason(allowed, "free-sync", "/a/load.cu", "read_all", NULL);
	check_reason(allowed, "pageable-copy", "/a/unload.cu", "read_all", NULL);
	check_reason(allowed, "free-sync", "/a/older.cu", "ns::run", "a -- b");
	check_reason(allowed, "free-sync", "/a/older.cu", NULL, NULL);
	check_reason(allowed, "sync-in-loop", NULL, NULL, NULL);
	assert_int_equal(allowed_unused(allowed, &index)->line, 6);
	assert_null(allowed_unused(allowed, &index));
	allowed_free(allowed);
}

TEST_IN_FOLDER(test_wrong_entries)
{
	static const struct {
		const char *text, *error;
	} wrong[] = {
		{"pageable-copy load.cu\n", "line 1: no reason"},
		{"# x\npageable-copy load.cu --  \n", "line 2: no reason"},
		{"pageable-copy -- why\n", "line 1: no place"},
		{"pageable-copy load.cu:22 -- why\n", "line 1: edits move lines"},
		{"pagable-copy load.cu -- why\n", "line 1: no finding has the id 'pagable-copy'"},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char *error = NULL;

		write_file(path, wrong[i].text, strlen(wrong[i].text));
		assert_null(allowed_load(path, &error));
		if (!error || strncmp(error, wrong[i].error, strlen(wrong[i].error)) != 0)
			fail_msg("'%s' where '%s' is expected", error, wrong[i].error);
		free(error);
	}
}

/* Each may be as long as a hostile trace makes it. */
TEST_IN_FOLDER(test_long_names)
{
	struct allowed *allowed = load("* a*a*a*a*a*a*a*a*b:f -- why\n");
	static char name[1 << 20];

	memset(name, 'a', sizeof(name) - 1);
	check_reason(allowed, "free-sync", name, "f", NULL);
	memset(name, '/', sizeof(name) - 1);
	check_reason(allowed, "free-sync", name, "f", NULL);
	allowed_free(allowed);
	/* The end of a path that is too long is the end of none. */
	allowed = load("* b:f -- why\n");
	memcpy(name + 4093, "/b", 3);
	check_reason(allowed, "free-sync", name, "f", "why");
	memcpy(name + 4094, "/b", 3);
	check_reason(allowed, "free-sync", name, "f", NULL);
	allowed_free(allowed);
}

TEST_IN_FOLDER(test_ids)
{
	char *unknown = ids_unknown("free-sync,,sync-in-loop");

	assert_null(ids_unknown("all"));
	assert_null(ids_unknown("free-sync,sync-in-loop"));
	assert_string_equal(unknown, "");
	free(unknown);
	unknown = ids_unknown("free-sync,free");
	assert_string_equal(unknown, "free");
	free(unknown);
	assert_true(ids_have("free-sync,sync-in-loop", "sync-in-loop"));
	assert_false(ids_have("free-sync,sync-in-loop", "sync"));
	assert_false(ids_have("free-sync", "free-sync-more"));
	assert_true(ids_have("all", "sync-in-loop"));
}

static double scale(const struct work_count *run, size_t run_count, const struct work_count *base,
		    size_t base_count)
{
	const work_counts x = {(struct work_count *)run, run_count, run_count};
	const work_counts y = {(struct work_count *)base, base_count, base_count};

	return scale_of(&x, &y);
}

TEST_IN_FOLDER(test_scale)
{
	const struct work_count base[] = {{"a", 100}, {"b", 100}, {"c", 50}};
	const struct work_count often[] = {{"a", 1000}, {"b", 1}, {"c", 1}};
	const struct work_count twice[] = {{"a", 2000}, {"b", 1}, {"c", 1}};
	const struct work_count run[] = {{"a", 200}, {"b", 100}, {"c", 100}, {"d", 1000}};

	/* 100 votes and 50 for twice as much, 100 for the same. */
	assert_true(scale(run, 4, base, 3) == 2);
	assert_true(scale(base, 3, run, 4) == 0.5);
	assert_true(scale(base, 2, run + 2, 2) == 1);
	assert_true(scale(twice, 3, often, 3) == 2);
	assert_true(scale(NULL, 0, base, 3) == 1);
}

RUN_TESTS(NULL, NULL)
