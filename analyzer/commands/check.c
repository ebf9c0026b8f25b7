#include "commands/gates.h"
#include "gate/gate_check.h"
#include "gate/gate_texts.h"
#include "render/gate_report.h"

/* baseline: its name, or NULL. */
static void check_runs(struct asking *asking, const char *baseline)
{
	struct gate *gate = &asking->gate;

	if (baseline)
		gate_check_against(gate, &asking->rules, asking->runs,
				   text_format(&gate->arena, "in baseline %s", baseline));
	else
		gate_check(gate, &asking->rules, (const struct gate_run *const *)asking->runs,
			   gate->path_count);
}

static int check_main(const struct arguments *arguments)
{
	struct operands traces;
	struct asking asking;
	int status = EXIT_UNREADABLE;

	if (!arguments->operand_count)
		return command_fail(EXIT_USAGE,
				    "check needs a trace: see streamtrace check --help");
	if (operands_expand(&traces, arguments->operands, (size_t)arguments->operand_count)) {
		status = gates_begin(&asking, arguments, "check", &(struct operands){0}, &traces);
		if (status == EXIT_FINE) {
			check_runs(&asking, arguments->values[OPTION_AGAINST]);
			status = gates_end(&asking);
		}
		gates_free(&asking);
	}
	operands_free(&traces);
	return status;
}

const struct command command_check = {
	.name = "check",
	.summary = "fail a build for what a trace shows",
	.operands = "TRACE|FOLDER...",
	.description =
		"Fails, with exit status 1, where the report of a trace has a finding that is "
		"denied and not allowed, or where more overlap is lost than --max-lost. Without "
		"both options each finding is denied. With --against what a baseline has, and is "
		"not worse now, may stay. Where a trace cannot tell (it lost events, or its replay "
		"misses the measured time, or diff calls a finding undecided) and nothing fails, "
		"the status is 4. A folder stands for the traces of its newest run.",
	.example = "streamtrace check --deny=pageable-copy,sync-in-loop --allow=allow.txt app.db",
	.schema = gate_schema,
	.main = check_main,
};
