/* Runs a program in a folder of its own, with libstrace.so or without, and reads the trace. */
#ifndef PRELOAD_RUN_H
#define PRELOAD_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <sqlite3.h>

struct run {
	char folder[64];
	char trace[96]; /* folder/trace.db, where STREAMTRACE_OUTPUT points unless it is set */
	pid_t pid;
	int status;	 /* of waitpid() */
	char *out, *err; /* everything that it wrote */
	sqlite3 *db;	 /* by run_open() */
};

/* Ends the test on a failure of its own. environment: "NAME=value", NULL at the end; it may be
 * NULL. LD_PRELOAD there comes behind libstrace.so. Until run_end(). */
void run_start(struct run *run, const char *program, const char *argument, bool with_libstrace,
	       const char *const *environment);
/* With all calls and operations as rows, for SQL; run_open_as_it_is(): as the program left it. */
void run_open(struct run *run);
void run_open_as_it_is(struct run *run);

/* The two halves of run_start(). Until run_wait() only pid is filled in. */
void run_launch(struct run *run, const char *program, const char *argument, bool with_libstrace,
		const char *const *environment);
void run_wait(struct run *run);

/* In place of run_wait(), for a program that calls scenario_wait_to_be_killed(): kills it when the
 * writer has flushed all that it did before. */
void run_kill_flushed(struct run *run);

void run_end(struct run *run);

/* A test of one run, which the test starts and this ends. */
#define TEST_RUN(name)                                                                             \
	static void name##_of(struct run *run);                                                    \
	TEST(name)                                                                                 \
	{                                                                                          \
		struct run run;                                                                    \
                                                                                                   \
		name##_of(&run);                                                                   \
		run_end(&run);                                                                     \
	}                                                                                          \
	static void name##_of(struct run *run)

/* First column of the first row; fails the test when there is none or the statement is wrong. */
int64_t run_number(struct run *run, const char *sql, ...) __attribute__((format(printf, 2, 3)));
/* As text, "" for NULL; valid until the next call. */
const char *run_text(struct run *run, const char *sql, ...) __attribute__((format(printf, 2, 3)));

/* Calls that are recorded, of a thread or with 0 of all, as rows and in blocks. */
int64_t run_calls(struct run *run, int thread_id);

int run_lines(const char *text);

/* The rest of the output after the next line that begins with the word; NULL: there is none. */
const char *run_next_line(const char *output, const char *word);

/* Files in the run's folder that are not its two outputs. */
int run_file_count(const struct run *run);

#endif
