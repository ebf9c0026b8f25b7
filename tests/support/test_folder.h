/* TEST_IN_FOLDER(name) is a test with a temporary folder of its own, which is removed after the test. One thread. */
#ifndef STREAMTRACE_TEST_FOLDER_H
#define STREAMTRACE_TEST_FOLDER_H

#include "cmocka_test.h"

/* The folder of the running test, and folder/trace.db, which the test may make. */
extern char *folder, path[256];

/* Both return 0. */
int test_folder_set_up(void **state);
int test_folder_tear_down(void **state);

#define TEST_IN_FOLDER(name) TEST_WITH(name, test_folder_set_up, test_folder_tear_down)

#endif
