/*
 * The processes of a run in a folder, as `streamtrace run -o FOLDER/` leaves it: a trace a process, or a
 * summary of one (summary.h).
 *
 * A folder can have several runs; only the files of the newest are used. Files with the same metadata
 * traced_by are of one run. So are files with another traced_by (mpirun starts a `streamtrace run` for each
 * rank), if
 *   - the launcher gives both the same name (run) and the same number of ranks,
 *   - none of their ranks is in the run already, and
 *   - they were still running when the newest began, unless the launcher never gives a name twice (torchrun
 *     does, mpirun and srun do not).
 * All other files are left out, and so are files that cannot be read. Files without such metadata count as one
 * run.
 *
 * Only the metadata of the files is read, on all processors. The caller's side is one thread.
 */
#ifndef STREAMTRACE_JOB_FOLDER_H
#define STREAMTRACE_JOB_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct folder_file {
	char *path;
	char *rank;					/* NULL: none */
	char *host, *run, *traced_by, *boot_id, *ranks; /* NULL: not known */
	int64_t process_id, start_ns, end_ns;		/* 0: not known */
	uint64_t bytes;
	bool is_summary;
};

struct folder_left_out {
	char *path;
	char *why;	  /* "is of another run": the end of a sentence, safe to print */
	bool is_readable; /* false: the file could not be read */
};

struct folder {
	struct folder_file
		*files; /* sorted by rank (base/rank_order.h), then host, process and path */
	struct folder_left_out *left_out; /* sorted by path */
	size_t file_count, left_out_count;
};

/* Whether there is a folder at path. */
bool folder_is_at(const char *path);

/* Reads the files in the folder whose names end with .db; folders in it do not count. Free the result with
 * folder_free(). NULL: the folder cannot be read; *error says why in one line, which the caller frees. */
struct folder *folder_read(const char *path, char **error);

/* Like folder_read(), of these files, as if they were the files of one folder. Never NULL. */
struct folder *folder_of_files(const char *const *paths, size_t count);

void folder_free(struct folder *folder);

#endif
