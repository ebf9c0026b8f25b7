/* Runs a program in a folder of its own, with libstrace.so or without, and reads the trace. A function that fails,
 * fails the test. One thread. */
#ifndef PRELOAD_RUN_H
#define PRELOAD_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <sqlite3.h>

struct run {
	char folder[64];
	char trace[96]; /* folder/trace.db: STREAMTRACE_OUTPUT unless environment has it */
	pid_t pid;
	int status;	 /* of waitpid() */
	char *out, *err; /* the program's standard output and standard error */
	sqlite3 *db;	 /* set by run_open() and run_open_as_it_is(); before that NULL */
};

/* Runs the program with the argument, and waits for its end. environment: texts "NAME=value", then NULL; the array
 * may be NULL. An LD_PRELOAD in environment comes after libstrace.so. The caller calls run_end(). */
void run_start(struct run *run, const char *program, const char *argument, bool with_libstrace,
	       const char *const *environment);
/* Opens the trace, and unpacks its calls and operations into rows for SQL. */
void run_open(struct run *run);

/* Opens the trace as the program left it. */
void run_open_as_it_is(struct run *run);

/* The two halves of run_start(). Before run_wait() only folder, trace and pid are set. */
void run_launch(struct run *run, const char *program, const char *argument, bool with_libstrace,
		const char *const *environment);
void run_wait(struct run *run);

/* Takes the place of run_wait() for a program that calls scenario_wait_to_be_killed() (tests/preload/scenario.h).
 * Kills the program as soon as the writer has flushed all that the program did before that call. */
void run_kill_flushed(struct run *run);

/* Closes the trace, removes the folder and frees what *run holds. */
void run_end(struct run *run);

/* A test of one run. The test's body calls run_start() or run_launch(); this macro calls run_end(). */
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

/* Returns the first column of the first row of sql, a format of sqlite3_mprintf(). Without a row the test fails. */
int64_t run_number(struct run *run, const char *sql, ...) __attribute__((format(printf, 2, 3)));

/* Returns the same column as text, at most 4,095 bytes of it; "" for NULL. Valid until the next call of
 * run_text(). */
const char *run_text(struct run *run, const char *sql, ...) __attribute__((format(printf, 2, 3)));

/* Returns the number of recorded calls, those in rows plus those in blocks. thread_id: only calls of that thread; 0:
 * of all threads. */
int64_t run_calls(struct run *run, int thread_id);

/* Returns the number of newlines in the text. */
int run_lines(const char *text);

/* Finds the first line of output that begins with the word and a blank. Returns a pointer to what follows the blank;
 * NULL: there is no such line. Each line of output must end with a newline. */
const char *run_next_line(const char *output, const char *word);

/* Returns the number of files in the run's folder, the trace included, but not the two files of out and err. */
int run_file_count(const struct run *run);

#endif
