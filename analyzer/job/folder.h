/*
 * The processes of a run in a folder, as `streamtrace run -o FOLDER/` leaves it. Each process has a
 * file: a trace, or a summary of a trace (summary.h).
 *
 * A folder can have several runs; only the files of the newest run are used. Files with the same
 * metadata traced_by are of one run. Files with another traced_by (mpirun starts a `streamtrace run`
 * for each rank) are of the newest run, too, if
 *   - the launcher gave both the same name (run) and the same number of ranks,
 *   - none of these files' ranks is in the run already, and
 *   - one of these files' processes was still running when the last process of the newest
 *     traced_by began. That is not asked of launchers that never give a name twice (mpirun, srun);
 *     torchrun can give a name twice.
 * All other files are left out, and so are files that cannot be read. Files without such metadata
 * count as one run.
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
	char *rank;					/* NULL: the process has none */
	char *host, *run, *traced_by, *boot_id, *ranks; /* NULL: not known */
	int64_t process_id, start_ns, end_ns;		/* 0: not known; times by CLOCK_REALTIME */
	uint64_t bytes;					/* the file's size; 0: not known */
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

/* Reads the files whose names end with .db in the folder, not in its subfolders. Free the result
 * with folder_free(). NULL: the folder cannot be read, and *error is one line that says why. The
 * caller frees *error. On success *error is NULL, even if files were left out. */
struct folder *folder_read(const char *path, char **error);

/* Like folder_read(), for these files as if one folder had them. Copies the paths. Never NULL. */
struct folder *folder_of_files(const char *const *paths, size_t count);

/* Frees the folder with all texts. folder must not be NULL. */
void folder_free(struct folder *folder);

#endif
