/*
 * The processes of a run in a folder, as `streamtrace run -o FOLDER/` leaves it: a trace a process, or a
 * summary of one (summary.h).
 *
 * A folder may have several runs. The files of the newest one are its members: what has the same
 * metadata traced_by, and of another traced_by (mpirun starts a `streamtrace run` a rank) what the launcher
 * calls by the same name, with the same number of ranks, and whose ranks are not there yet. Where that name
 * can come again (torchrun's) it also has to have been running when the newest one began. All others
 * are left out, and so is what cannot be read. Files without such metadata are taken as one run.
 *
 * Only the metadata of the files is read, on all processors.
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
	char *why; /* "is of another run": a line's end, safe to print */
	bool is_readable;
};

struct folder {
	struct folder_file *files; /* by rank (base/rank_order.h), then host, process and path */
	struct folder_left_out *left_out; /* by path */
	size_t file_count, left_out_count;
};

bool folder_is_at(const char *path);

/* Of the files whose names end with .db; others, and folders in it, do not count. NULL: it cannot be
 * read, *error says why, as trace_load() does. */
struct folder *folder_read(const char *path, char **error);

/* The same of these files, as if they were all that is in a folder. Never NULL. */
struct folder *folder_of_files(const char *const *paths, size_t count);

void folder_free(struct folder *folder);

#endif
