/*
 * The one way to write a file: whole, or not at all.
 *
 *	struct output *output = output_open(path, 0644, &error);
 *	fprintf(output_stream(output), ...);
 *	if (!output_close(output, &error)) ...
 *
 * The text goes to a new file in the same folder, ".streamtrace-" and 16 digits. At the end it is
 * flushed to the disk and replaces the old file by one rename(): until then the old file stays as
 * it was. A signal that ends the program removes the unfinished file; SIGKILL leaves it.
 *
 * - A symbolic link stays; the file that it leads to is replaced. Of a file with several hard
 *   links, only this name gets the new file.
 * - The old file's mode, owner and group are kept as far as the system allows.
 * - A file that may not be written is not replaced, even if its folder is writable.
 * - Devices, pipes, /dev/stdout and /dev/fd/3 are written directly.
 *
 * A trace that is changed in place (trace/database.h) uses SQLite's journal instead: other
 * processes may have it open. One thread.
 */
#ifndef STREAMTRACE_OUTPUT_H
#define STREAMTRACE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct output;

/* Begins to write the file at path; a new file gets this mode, less the umask. NULL: it cannot be
 * written; *error is the reason without the file's name, to be freed. Otherwise call output_close()
 * or output_drop(). */
struct output *output_open(const char *path, mode_t mode, char **error);

/* The stream to write to, owned by the output. Write errors show in output_close() and ferror(). */
FILE *output_stream(struct output *output);

/* The unfinished file's name, for code that writes by name instead of to the stream; NULL: written
 * directly, there is none. */
const char *output_unfinished(const struct output *output);

/* Finishes the file and frees the output. False: failed; the old file is still there (of a file
 * written directly, a part may be written), and *error is set as above. */
bool output_close(struct output *output, char **error);

/* Frees the output and leaves the old file. NULL does nothing. */
void output_drop(struct output *output);

/* The file that path leads to through links, existing or not, to be freed. NULL: failed, with
 * errno. */
char *output_target(const char *path);

#endif
