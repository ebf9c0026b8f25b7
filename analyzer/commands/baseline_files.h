/*
 * Where baselines are kept: NAME.json in .streamtrace/baselines of the git repository that the current folder is in;
 * without one in $XDG_DATA_HOME/streamtrace/baselines, or ~/.local/share. One thread.
 */
#ifndef STREAMTRACE_BASELINE_FILES_H
#define STREAMTRACE_BASELINE_FILES_H

#include "gate/saved_runs.h"

/* The folder with a .git above the current folder, or the current one itself; the caller frees it. NULL: there is
 * none. */
char *baseline_files_repository(void);

/* The folder of the baselines, which need not exist yet; the caller frees it. NULL: there is no place for it, which
 * was printed. */
char *baseline_files_folder(void);

/* The file of the baseline with that name, which need not exist; the caller frees it. NULL: there is no place for it,
 * or it cannot be a name, which was printed. */
char *baseline_files_path(const char *name);

/* Whether it can be the name of a baseline; printed if not. */
bool baseline_files_check_name(const char *name);

/* Reads the baseline with that name. Returns EXIT_FINE, and the caller frees *saved by saved_runs_free(); or the exit
 * status for what is wrong, which was printed. */
int baseline_files_read(struct saved_runs *saved, const char *name);

/* Writes the runs as the baseline with that name, whole or not at all, and says so: replaces one of that name, but no
 * other file. Returns the exit status. */
int baseline_files_write(const char *name, const struct gate_run *const *runs, size_t count);

#endif
