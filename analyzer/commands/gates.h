/* What `check` and `diff` have in common: their options, their traces, and how they end. One thread. */
#ifndef STREAMTRACE_GATES_H
#define STREAMTRACE_GATES_H

#include "commands/command.h"
#include "commands/operands.h"
#include "commands/targets.h"
#include "gate/gate.h"
#include "gate/run.h"

/* A gate that is being asked. */
struct asking {
	const struct arguments *arguments;
	struct gate_rules rules;
	struct gate gate;
	struct gate_run **runs;	    /* of each trace */
	const char **paths;	    /* of gate.paths */
	char *root;		    /* of rules.root */
	struct target sarif, junit; /* path: NULL where none was asked for */
};

/* Reads the options and the traces, opens what is written, and judges nothing. EXIT_FINE, or what was printed
 * ends with. */
int gates_begin(struct asking *asking, const struct arguments *arguments, const char *command,
		const struct operands *base, const struct operands *traces);

/* Prints the gate and says how to end. */
int gates_end(struct asking *asking);

void gates_free(struct asking *asking);

#endif
