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

/* Begins to write the file at path, which is not kept. A new file gets this mode, less the umask.
 * *error must be NULL before. End the output by output_close() or output_drop(). NULL: the file
 * cannot be written; *error is the reason without the file's name, and the caller must free()
 * it. */
struct output *output_open(const char *path, mode_t mode, char **error);

/* The stream to write to, owned by the output: do not fclose() it. Write errors show in ferror()
 * and in output_close(). */
FILE *output_stream(struct output *output);

/* The name of the unfinished file, for code that writes by name instead of to the stream. The
 * output owns the name. NULL: a device or pipe is written directly. */
const char *output_unfinished(const struct output *output);

/* Finishes the file and frees the output, also on failure. False: failed; *error is the reason,
 * which the caller must free(). The old file is then still there. A device or pipe may have got a
 * part of the text. */
bool output_close(struct output *output, char **error);

/* Removes the unfinished file and frees the output. The old file stays. NULL does nothing. */
void output_drop(struct output *output);

/* The path that `path` leads to through symbolic links. No file need exist there. The caller must
 * free() it. NULL: failed, with errno. */
char *output_target(const char *path);

#endif
