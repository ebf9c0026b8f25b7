/* A folder for each test, and the name of a trace in it: for tests listed as TEST(name). */
#ifndef STREAMTRACE_TEST_FOLDER_H
#define STREAMTRACE_TEST_FOLDER_H

extern char *folder, path[256]; /* path: folder/trace.db */

int test_folder_set_up(void **state);
int test_folder_tear_down(void **state);

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_folder_set_up, test_folder_tear_down)

#endif
