/* What two runs of one program in two folders have in common of their command lines. Any thread. */
#ifndef STREAMTRACE_COMMAND_WORDS_H
#define STREAMTRACE_COMMAND_WORDS_H

/* The file's name without its folders. The result is a part of path. */
const char *command_file_name(const char *path);

/* Returns the words behind the program, which the caller must free(), each path in them cut to its
 * file's name: "--data=/a/b.bin /c/train.py" becomes "--data=b.bin train.py"; "": there are none.
 * Words are what blanks separate: a trace has them joined. program: the name or path of the program's
 * file, which tells where the program ends if its folder's name has blanks; NULL: not known. */
char *command_words(const char *command_line, const char *program);

#endif
