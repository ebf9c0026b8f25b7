#include "commands/gates.h"

#include "gate/check.h"

static int check_main(const struct arguments *arguments)
{
	size_t count = (size_t)arguments->operand_count;
	struct asking asking;
	int status = gates_begin(&asking, arguments, "check", NULL, 0, arguments->operands, count);

	if (status == EXIT_FINE) {
		gate_check(&asking.gate, &asking.rules, (const struct gate_run *const *)asking.runs,
			   count);
		status = gates_end(&asking);
	}
	gates_free(&asking);
	return status;
}

const struct command command_check = {
	.name = "check",
	.summary = "fail a build for what a trace shows",
	.operands = "TRACE...",
	.needs = "a trace",
	.description =
		"Fails, with exit status 1, where the report of a trace has a finding that is "
		"denied "
		"and not allowed, or where more overlap is lost than --max-lost. Without both "
		"options "
		"each finding is denied. Where a trace cannot tell (it lost events, or its replay "
		"misses the measured time) and nothing fails, the status is 4.",
	.example = "streamtrace check --deny=pageable-copy,sync-in-loop --allow=allow.txt app.db",
	.main = check_main,
};
