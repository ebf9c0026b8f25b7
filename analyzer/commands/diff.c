#include "commands/gates.h"
#include "gate/gate_change.h"
#include "gate/gate_diff.h"
#include "render/gate_report.h"

#include <string.h>

/* What stands between the two sides. */
#define SEPARATOR "vs"

/* The number of traces of base; -1: said what is wrong. 0: with --against all are of head. */
static int find_sides(const struct arguments *arguments, char ***head, int *head_count)
{
	char **operands = arguments->operands;
	int count = arguments->operand_count, base = 0;

	if (arguments->is_given[OPTION_AGAINST] && count) {
		*head = operands;
		*head_count = count;
		return 0;
	}
	while (base < count && strcmp(operands[base], SEPARATOR) != 0)
		base++;
	if (base == count && count == 2) {
		*head = operands + 1;
		*head_count = 1;
		return 1;
	}
	*head = operands + base + 1;
	*head_count = count - base - 1;
	if (base > 0 && *head_count > 0)
		return base;
	command_fail(EXIT_USAGE, "diff needs two traces, or traces, the word " SEPARATOR
				 " and traces: see streamtrace diff --help");
	return -1;
}

/* What the fixes of all that is gone save, by base's replay, or by what its baseline has. */
static void predict_saving(struct asking *asking)
{
	const struct gate_change *change = &asking->gate.change;
	const struct analysis *analysis;

	if (asking->arguments->is_given[OPTION_AGAINST]) {
		gate_change_recall(&asking->gate, asking->runs[change->base_run]);
		return;
	}
	analysis = change->gone_count ? gates_analysis(asking, change->base_run) : NULL;
	if (analysis)
		gate_change_predict(&asking->gate, analysis);
}

static int compare_operands(const struct arguments *arguments, const struct operands *base,
			    const struct operands *head)
{
	struct asking asking;
	int status = gates_begin(&asking, arguments, "diff", base, head);

	if (status == EXIT_FINE) {
		gate_diff(&asking.gate, &asking.rules, (const struct gate_run *const *)asking.runs);
		predict_saving(&asking);
		status = gates_end(&asking);
	}
	gates_free(&asking);
	return status;
}

static int diff_main(const struct arguments *arguments)
{
	struct operands base = {0}, head = {0};
	char **heads;
	int status = EXIT_UNREADABLE, head_count, base_count;

	base_count = find_sides(arguments, &heads, &head_count);
	if (base_count < 0)
		return EXIT_USAGE;
	if (operands_expand(&base, arguments->operands, (size_t)base_count) &&
	    operands_expand(&head, heads, (size_t)head_count))
		status = compare_operands(arguments, &base, &head);
	operands_free(&base);
	operands_free(&head);
	return status;
}

const struct command command_diff = {
	.name = "diff",
	.summary = "compare two versions: what was saved, what is left, what got worse",
	.operands = "BASE HEAD | BASE... vs HEAD... | --against=NAME HEAD...",
	.description =
		"Compares two versions of a program: the wall time before and after, the saving "
		"that "
		"was predicted for the findings that are gone, and the one that was realised, and "
		"what is left. Then the findings. A finding is the same where "
		"its id, its file's name and its function are, whatever its line; moved, where a "
		"new one makes the same calls as one that is gone. It fails, with "
		"exit status 1, where one is new or worse: in more calls or more bytes, per turn "
		"of the program's loops. Times are compared where each side has seven traces or "
		"more, and only against how much they vary within a side. Where the traces "
		"cannot tell and nothing fails, the status is 4. A folder stands for the traces "
		"of its newest run.",
	.example = "streamtrace diff base.*.db vs head.*.db\n"
		   "streamtrace diff base/ head/\n"
		   "streamtrace diff --against=main app.db",
	.schema = gate_schema,
	.main = diff_main,
};
