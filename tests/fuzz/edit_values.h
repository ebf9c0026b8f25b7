/* What cells become. One thread. */
#ifndef STREAMTRACE_TESTS_FUZZ_EDIT_VALUES_H
#define STREAMTRACE_TESTS_FUZZ_EDIT_VALUES_H

#include "edits.h"

#include <sqlite3.h>

/* Binds the first parameter to the value that the input says; old: what is there, or NULL. */
void edit_bind_value(sqlite3_stmt *update, struct input *input, sqlite3_value *old);

/* To what is there, of which some bytes become others, or the rest goes. */
void edit_bind_bytes(sqlite3_stmt *update, struct input *input, sqlite3_value *old);

#endif
