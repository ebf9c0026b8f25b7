/*
 * The one way to write a file, whole or not at all.
 *
 * What is written goes to a file of its own in the same folder, ".streamtrace-" and 16 digits. It is flushed to
 * the disk and then takes the place of the old file with one rename(): whatever happens before, the old file is
 * there as it was. A signal that ends the program removes the unfinished file; SIGKILL leaves it.
 *
 * - Of a link the file that it leads to is replaced, and the link stays. Of a file with several names (hard links)
 *   this name leads to the new file; the others keep the old one.
 * - The mode, the owner and the group of the old file are kept, as far as the system allows.
 * - A file that may not be written is not replaced, even where its folder may be.
 * - What is no regular file (a device, a pipe), and what /dev/stdout or /dev/fd/3 is, is written straight.
 *
 * A trace that is changed in place (trace/database.h) has SQLite's journal for the same purpose: other processes
 * may have it open. One thread.
 */
#ifndef STREAMTRACE_OUTPUT_H
#define STREAMTRACE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct output;

/* Begins to write the file at path, which gets the mode less the umask where it is new. NULL: it cannot be
 * written, *error says why without its name, malloc'ed. */
struct output *output_open(const char *path, mode_t mode, char **error);

/* Belongs to the output. Failures to write show when the output is closed, and in ferror(). */
FILE *output_stream(struct output *output);

/* The unfinished file, for what writes by name instead of to the stream; NULL: there is none, as it is written
 * straight. */
const char *output_unfinished(const struct output *output);

/* Ends the writing, and frees the output. False: the old file is still there, *error as above. Of what is written
 * straight a part may have been. */
bool output_close(struct output *output, char **error);

/* Frees it; the old file stays. NULL is fine. */
void output_drop(struct output *output);

/* The file that path leads to, which need not exist; malloc'ed. NULL: it leads nowhere, errno says why. */
char *output_target(const char *path);

#endif
