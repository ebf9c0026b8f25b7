/* A folder for each test, and the name of a trace in it: for each TEST_IN_FOLDER(name). */
#ifndef STREAMTRACE_TEST_FOLDER_H
#define STREAMTRACE_TEST_FOLDER_H

#include "cmocka_test.h"

extern char *folder, path[256]; /* path: folder/trace.db */

int test_folder_set_up(void **state);
int test_folder_tear_down(void **state);

#define TEST_IN_FOLDER(name) TEST_WITH(name, test_folder_set_up, test_folder_tear_down)

#endif
