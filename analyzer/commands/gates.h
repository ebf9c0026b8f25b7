/*
 * What the commands check and diff have in common: their options, their traces and how they end. One thread.
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

#include "commands/command.h"
#include "commands/operands.h"
#include "commands/targets.h"
#include "gate/gate.h"
#include "gate/gate_run.h"

/* A gate and what it judges. Set by gates_begin(). */
struct asking {
	const struct arguments *arguments;
	struct gate_rules rules;
	struct gate gate;
	struct gate_run **runs;	    /* one for each trace, base's first */
	const char **paths;	    /* what gate.paths points to */
	char *root;		    /* what rules.root points to */
	struct target sarif, junit; /* path is NULL if the option was not given */
};

/* Reads the options and the traces, and opens the files to write. command: "check" or "diff"; base: no operands for
 * check. Arguments and operands must outlive asking. Returns EXIT_FINE, or the exit status for what is wrong, which
 * was printed: then the caller must not call gates_end(). gates_free() is due in any case. */
int gates_begin(struct asking *asking, const struct arguments *arguments, const char *command,
		const struct operands *base, const struct operands *traces);

/* Prints the gate's result in the formats that were asked for. Call after gate_check() or gate_diff(). Returns the
 * exit status. */
int gates_end(struct asking *asking);

void gates_free(struct asking *asking);

#endif
