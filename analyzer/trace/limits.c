#include "trace/limits.h"

#include <sqlite3.h>
#include <stddef.h>

#define LONGEST_VALUE_BYTES (1 << 24)

/* A column takes at least a byte of the file, and a step or two. Pages that refer to each other in
 * circles give their rows again and again. */
#define STEPS_PER_BYTE	    16
#define STEPS_LEAST	    16000000 /* for a small file */
#define STEPS_BETWEEN_LOOKS 10000

static int is_past_limit(void *limits)
{
	return !limits_take(limits, STEPS_BETWEEN_LOOKS);
}

void limits_set(void *connection, struct limits *limits, uint64_t file_bytes)
{
	limits->work = 0;
	limits->work_most = STEPS_LEAST + STEPS_PER_BYTE * file_bytes;
	sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	/* Those of the file: temporary ones are ours. */
	sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, LONGEST_VALUE_BYTES);
	sqlite3_progress_handler(connection, STEPS_BETWEEN_LOOKS, is_past_limit, limits);
}

bool limits_take(struct limits *limits, uint64_t bytes)
{
	limits->work += bytes;
	return limits->work <= limits->work_most;
}
