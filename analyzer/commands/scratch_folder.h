/* A folder for files that are needed for a while. One thread. */
#ifndef STREAMTRACE_SCRATCH_FOLDER_H
#define STREAMTRACE_SCRATCH_FOLDER_H

/* Makes a folder in $TMPDIR, or /tmp, that only this user may enter, and returns its path. The caller gives it to
 * scratch_folder_remove(). NULL: it cannot be made; the reason was printed. */
char *scratch_folder_make(void);

/* Removes the folder with the files in it, and frees the path. A folder in it stays, and so does the whole then. */
void scratch_folder_remove(char *path);

#endif
