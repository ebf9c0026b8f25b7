/*
 * The file NAME.watch of facts/watch_page.h, and NAME.trigger beside it. Writer thread only.
 *
 * NAME is the output's name without .db. Where another process that lives has such a file it is NAME.2, and so on.
 * A file that is not the page of a process that has ended is never touched.
 */
#ifndef STREAMTRACE_WATCH_PAGE_FILE_H
#define STREAMTRACE_WATCH_PAGE_FILE_H

#include "facts/watch_page.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Makes the file for an output of this path. False: it cannot be made, and error[size] has the reason. */
bool page_file_create(const char *output, char *error, size_t size);

/* Writes the page. Makes the file again if page_file_remove() has removed it. Nothing happens where the program has
 * closed the descriptor, or the disk is full. */
void page_file_write(struct watch_page *page);

/* Whether the trigger's file is there and empty; it is removed then. */
bool page_file_take_trigger(void);

/* Stores the path of the first incident from *number on that is not there, and its number; folder[] gets the path
 * of the folder. False: the path is too long. */
bool page_file_incident_path(char path[PATH_MAX], unsigned *number);
void page_file_folder(char folder[PATH_MAX]);

/* Removes the file. */
void page_file_remove(void);

/* Call in a forked child: forgets the parent's file without closing it. */
void page_file_after_fork(void);

#endif
