/*
 * Chooses the files of a folder that are of its newest run. The rules are in folder.h. Any thread.
 */
#ifndef STREAMTRACE_JOB_FOLDER_RUNS_H
#define STREAMTRACE_JOB_FOLDER_RUNS_H

#include "job/folder.h"

/* Returns an array with an element for each file: true if the file is of the newest run. The caller
 * frees the array. */
bool *folder_runs_choose(const struct folder_file *const *files, size_t count);

#endif
