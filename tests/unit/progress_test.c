#include "cmocka_test.h"
#include "base/progress.h"

#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Standard error becomes the file, and what() is done there; returns what it was. */
static int redirect(int file)
{
	int before = dup(STDERR_FILENO);

	assert_true(before >= 0);
	assert_true(dup2(file, STDERR_FILENO) >= 0);
	return before;
}

static void restore(int before)
{
	fflush(stderr);
	assert_true(dup2(before, STDERR_FILENO) >= 0);
	close(before);
}

/* Reads until the text has come; ends with the test's time limit otherwise. */
static void expect(int file, const char *text)
{
	char found[4096] = "";
	size_t size = 0;

	while (!strstr(found, text)) {
		ssize_t got = read(file, found + size, sizeof(found) - 1 - size);

		assert_true(got > 0);
		size += (size_t)got;
		found[size] = '\0';
	}
}

TEST(test_a_long_step_has_a_line)
{
	int terminal, user, before;

	/* A machine without /dev/pts has none to give. */
	if (openpty(&user, &terminal, NULL, NULL, NULL)) {
		print_message("no terminal here: skipped\n");
		skip();
	}
	before = redirect(terminal);
	progress_step("a short one");
	progress_step("waiting for the test");
	expect(user, "streamtrace: waiting for the test, 2 s");
	progress_step("waiting again");
	expect(user, "\r                                    ");
	expect(user, "streamtrace: waiting again, 1 s");
	progress_end();
	expect(user, "\r                             ");
	progress_end();
	restore(before);
	close(terminal);
	close(user);
}

TEST(test_a_file_has_none)
{
	int ends[2], before;
	char byte;

	assert_int_equal(pipe(ends), 0);
	before = redirect(ends[1]);
	progress_step("waiting");
	progress_end();
	restore(before);
	close(ends[1]);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
}

RUN_TESTS(NULL, NULL)
