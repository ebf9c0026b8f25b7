/*
 * Which files of a folder are of its newest run: the rules are in folder.h. One thread.
 */
#ifndef STREAMTRACE_JOB_FOLDER_RUNS_H
#define STREAMTRACE_JOB_FOLDER_RUNS_H

#include "job/folder.h"

/* By index, malloc'ed: whether it is one of the newest run. */
bool *folder_runs_choose(const struct folder_file *const *files, size_t count);

#endif
