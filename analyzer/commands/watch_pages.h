/*
 * Finds the programs in watch mode, by what they say of themselves (facts/watch_page.h). One thread.
 */
#ifndef STREAMTRACE_WATCH_PAGES_H
#define STREAMTRACE_WATCH_PAGES_H

#include "facts/watch_page.h"

#include <stdbool.h>
#include <stddef.h>

struct watched_program {
	char *path;    /* of NAME.watch, as this process reaches it */
	bool is_alive; /* its process runs; of one of another host, it wrote the page a moment ago */
	struct watch_page page; /* its texts end with 0 and are safe to print */
};

struct watched_programs {
	struct watched_program *items; /* by rank, then process */
	size_t count;
};

/* Whether the operand of a command is a process's number, and no folder's name. *pid: the number. */
bool watch_pages_is_pid(const char *operand, int *pid);

/* Finds the programs whose pages lie in the folder. False: it cannot be read; errno says why, and *programs is empty. The
 * caller frees *programs with watch_pages_free(), also after false. */
bool watch_pages_in_folder(const char *folder, struct watched_programs *programs);

/* The page of one process. *error, which the caller frees, is one line; NULL: *program is set, and its path is to be
 * freed. */
struct watched_program watch_pages_of_process(int pid, char **error);

/* Reads the program's page again. False: it is gone, or is another's. */
bool watch_pages_renew(struct watched_program *program);

/* The path of another file of the program: its own with this behind NAME in place of ".watch", malloc'ed. */
char *watch_pages_beside(const struct watched_program *program, const char *suffix);

void watch_pages_free(struct watched_programs *programs);

#endif
