/*
 * What the commands check, diff and baseline have in common: their options, their traces and how they end. One thread.
 *
 *	status = gates_begin(&asking, arguments, "check", &base, &traces);
 *	if (status == EXIT_FINE) {
 *		gate_check(&asking.gate, ...);
 *		status = gates_end(&asking);
 *	}
 *	gates_free(&asking);
 */
#ifndef STREAMTRACE_GATES_H
#define STREAMTRACE_GATES_H

#include "commands/baseline_files.h"
#include "commands/command.h"
#include "commands/operands.h"
#include "commands/targets.h"
#include "gate/gate.h"
#include "gate/gate_run.h"

/* A trace and its analysis. */
struct replayed {
	struct trace *trace; /* NULL: none */
	struct analysis *analysis;
	size_t run; /* its index in asking->runs */
};

/* A gate and what it judges. Set by gates_begin(). */
struct asking {
	const struct arguments *arguments;
	struct gate_rules rules;
	struct gate gate;
	struct gate_run **runs;	 /* one for each trace; base traces come first */
	struct replayed kept;	 /* one base trace, for gates_analysis(); free memory allows one */
	const char **paths;	 /* gate.paths points to this array */
	struct saved_runs saved; /* of --against, until they are in runs */
	char *root;		 /* rules.root points to this text */
	struct target sarif, junit; /* path is NULL if the option was not given */
};

/* Sets *asking: reads the options and the traces, and opens the files to write. command: its name. base: the
 * traces to compare with, never NULL; empty if there are none, or those of --against are meant. The arguments and the operands must outlive
 * *asking. Returns EXIT_FINE, or the exit status for what is wrong, which was printed; the caller must then not call
 * gates_end(). The caller calls gates_free() in any case. */
int gates_begin(struct asking *asking, const struct arguments *arguments, const char *command,
		const struct operands *base, const struct operands *traces);

/* The analysis of the run's trace, which belongs to *asking and lasts until the next call; loads the trace again
 * unless it is the one that was kept. NULL: the trace cannot be read any more, which was printed. */
const struct analysis *gates_analysis(struct asking *asking, size_t run);

/* Prints the gate's result to standard output and to the files of --sarif and --junit. Call after gate_check() or
 * gate_diff(). Returns the command's exit status: that of the gate, or EXIT_UNREADABLE if memory ran out or a
 * file could not be written, which was printed. */
int gates_end(struct asking *asking);

/* Frees what *asking holds: the gate, its rules and the runs. Drops files that gates_end() did not write. */
void gates_free(struct asking *asking);

#endif
