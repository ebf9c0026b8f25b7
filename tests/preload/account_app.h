/* What account_app and the tests that read its trace both know. */
#ifndef ACCOUNT_APP_H
#define ACCOUNT_APP_H

enum { ROUND_CALLS = 50, OPENING_CALLS = 4, COPY_BYTES = 1000, SET_BYTES = 2000 };

/* One line of its output. */
struct made {
	int thread, index, calls, operations;
	long long time_ns;
};

#define MADE_FORMAT "made %d %d %d %d %lld"
#define MADE_FIELDS 5

/* The operations of the thread with this index, for sqlite3_mprintf(). */
#define OPERATIONS_OF                                                                              \
	"SELECT count(*) FROM operations WHERE grid_x = %d OR size_bytes IN (1000 + %d, 2000 + "   \
	"%d)"

#endif
