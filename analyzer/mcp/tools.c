#include "mcp/tools.h"

#include "mcp/answer_schemas.h"
#include "render/gate_report.h"
#include "render/job.h"
#include "render/render.h"

#include <stdlib.h>
#include <string.h>

static const char cursor_text[] =
	"next_cursor of the answer before, to get what follows: all other arguments as they were";
static const char traces_text[] = "traces, as record or resources/list names them; a folder stands "
				  "for the traces of its newest run";

#define CURSOR                                                                                     \
	{                                                                                          \
		"cursor", ARGUMENT_CURSOR, false, NULL, cursor_text, NULL                          \
	}

static const struct tool_argument record_arguments[] = {
	{"command", ARGUMENT_WORDS, true, NULL,
	 "the program and its arguments, a word each: [\"python3\", \"train.py\"]. No shell reads "
	 "it",
	 NULL},
	{"output", ARGUMENT_NEW, false, "output",
	 "a new folder for the traces (default: the first free one of streamtrace-1, "
	 "streamtrace-2, ...)",
	 NULL},
	{"directory", ARGUMENT_FOLDER, false, NULL,
	 "the folder that the program starts in (default: the first root)", NULL},
	{"first_use", ARGUMENT_FLAG, false, "first-use",
	 "record when the program first accesses the data of its copies to the host, so that the "
	 "report can tell which waits are needed",
	 NULL},
	{"timeout_s", ARGUMENT_SECONDS, false, NULL,
	 "end the program after so many seconds; what it did until then is in the trace", NULL},
	{0},
};

static const struct tool_argument report_arguments[] = {
	{"traces", ARGUMENT_TRACES, true, NULL, traces_text, NULL},
	{"format", ARGUMENT_FORMAT, false, "format",
	 "json: each finding with its site, saving, evidence and fix; text: the same to read, "
	 "shorter",
	 "json|text|md"},
	{"all", ARGUMENT_FLAG, false, "all", NULL, NULL},
	{"each", ARGUMENT_FLAG, false, "each", NULL, NULL},
	{"edit", ARGUMENT_FLAG, false, "edit",
	 "add to each finding its fix as a change of the source, a unified diff for patch -p1 in "
	 "edit.folder, where it is mechanical; else why not. Only of files below the roots, which "
	 "stay as they are. For json and text",
	 NULL},
	{"source", ARGUMENT_FLAG, false, "source",
	 "add to each finding three lines of the source around it, of files below the roots. For "
	 "json and text",
	 NULL},
	{"top", ARGUMENT_NUMBER, false, "top", NULL, NULL},
	{"min", ARGUMENT_TEXT, false, "min", NULL, NULL},
	{"site", ARGUMENT_TEXT, false, "site", NULL, NULL},
	{"kernel", ARGUMENT_TEXT, false, "kernel", NULL, NULL},
	{"nvtx", ARGUMENT_TEXT, false, "nvtx", NULL, NULL},
	{"stream", ARGUMENT_NUMBER, false, "stream", NULL, NULL},
	{"device", ARGUMENT_NUMBER, false, "device", NULL, NULL},
	{"time", ARGUMENT_TEXT, false, "time", NULL, NULL},
	{"exact", ARGUMENT_FLAG, false, "exact", NULL, NULL},
	CURSOR,
	{0},
};

static const struct tool_argument explain_arguments[] = {
	{"id", ARGUMENT_TEXT, false, NULL, "the id of a finding (default: list all)", NULL},
	CURSOR,
	{0},
};

static const struct tool_argument whatif_arguments[] = {
	{"trace", ARGUMENT_TRACE, true, NULL, "a trace", NULL},
	{"apply", ARGUMENT_LIST, true, "apply", NULL, NULL},
	{"format", ARGUMENT_FORMAT, false, "format", "how the answer is written", "json|text"},
	{"exact", ARGUMENT_FLAG, false, "exact", NULL, NULL},
	CURSOR,
	{0},
};

static const struct tool_argument diff_arguments[] = {
	{"base", ARGUMENT_TRACES, true, NULL, "traces from before the change", NULL},
	{"head", ARGUMENT_TRACES, true, "vs", "traces from after the change", NULL},
	{"format", ARGUMENT_FORMAT, false, "format", "how the answer is written", "json|text"},
	{"deny", ARGUMENT_LIST, false, "deny", NULL, NULL},
	{"allow", ARGUMENT_FILE, false, "allow", NULL, NULL},
	{"min", ARGUMENT_TEXT, false, "min", NULL, NULL},
	CURSOR,
	{0},
};

static const struct tool_argument info_arguments[] = {
	{"traces", ARGUMENT_TRACES, true, NULL, traces_text, NULL},
	{"format", ARGUMENT_FORMAT, false, "format", "how the answer is written", "json|text"},
	CURSOR,
	{0},
};

static const struct tool_argument check_arguments[] = {
	{"traces", ARGUMENT_TRACES, true, NULL, traces_text, NULL},
	{"format", ARGUMENT_FORMAT, false, "format", "how the answer is written", "json|text"},
	{"deny", ARGUMENT_LIST, false, "deny", NULL, NULL},
	{"allow", ARGUMENT_FILE, false, "allow", NULL, NULL},
	{"max_lost", ARGUMENT_TEXT, false, "max-lost", NULL, NULL},
	{"min", ARGUMENT_TEXT, false, "min", NULL, NULL},
	CURSOR,
	{0},
};

static const char *const no_options[] = {NULL};
/* To measure would use the GPU and write to the user's cache. */
static const char *const no_measure[] = {"--no-measure", NULL};
static const char *const no_schemas[] = {NULL};
static const char *const report_schemas[] = {report_schema, job_schema, NULL};
static const char *const whatif_schemas[] = {whatif_schema, NULL};
static const char *const gate_schemas[] = {gate_schema, NULL};
static const char *const info_schemas[] = {info_schema, NULL};

static const struct tool tools[] = {
	{"record", "run", "Run and trace a program",
	 "Runs a program and traces what it does on the GPU. Returns the traces, the program's "
	 "exit "
	 "status and the end of its output. Then: report.",
	 record_arguments, no_options, no_schemas, false, true, false},
	{"report", "report", "Where a program lost overlap",
	 "Shows where a traced program lost overlap between copies, kernels and the host: in which "
	 "source line, what its fix would save, and what to write instead. Findings are sorted by "
	 "what their fixes save. Then: explain an id, whatif to see fixes together, or fix the "
	 "line, "
	 "record again and diff.",
	 report_arguments, no_measure, report_schemas, true, false, true},
	{"explain", "explain", "Explain a finding and its fix",
	 "Explains the finding with that id: what it is, how it is recognized, what else looks "
	 "like "
	 "it, and its fix in C, PyTorch, CuPy and JAX.",
	 explain_arguments, no_options, no_schemas, false, false, false},
	{"whatif", "whatif", "The run with fixes applied",
	 "Replays a trace with fixes applied and shows the resulting run: what they save together, "
	 "and what limits it then. Savings of single findings cannot be added.",
	 whatif_arguments, no_measure, whatif_schemas, true, false, false},
	{"diff", "diff", "Compare two versions of a program",
	 "Compares traces from before and after a change: the wall time, the predicted and the "
	 "realised saving of what was fixed, what is left, and which findings are gone, new or "
	 "worse. "
	 "status 1: something is new or worse; 4: the traces cannot tell.",
	 diff_arguments, no_measure, gate_schemas, true, false, false},
	{"check", "check", "Whether traces pass a gate",
	 "Checks traces against what is denied or allowed. status 1: a finding fails the gate; 4: "
	 "the traces cannot tell.",
	 check_arguments, no_measure, gate_schemas, true, false, false},
	{"info", "info", "What is in a trace",
	 "Shows how a trace was recorded, how many calls and operations it has, and what was lost.",
	 info_arguments, no_options, info_schemas, true, false, false},
};

const struct tool *tool_find(const char *name)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
		if (!strcmp(tools[i].name, name))
			return &tools[i];
	return NULL;
}

static json_t *describe_texts(void)
{
	return json_pack("{s:s, s:{s:s}, s:i}", "type", "array", "items", "type", "string",
			 "minItems", 1);
}

static json_t *describe_choice(const char *words)
{
	json_t *choice = json_array();

	while (*words) {
		const size_t length = strcspn(words, "|");

		json_array_append_new(choice, json_stringn(words, length));
		words += length + (words[length] == '|');
	}
	return json_pack("{s:s, s:o, s:s}", "type", "string", "enum", choice, "default", "json");
}

static json_t *describe_kind(const struct tool_argument *argument)
{
	switch (argument->kind) {
	case ARGUMENT_TRACES:
	case ARGUMENT_LIST:
	case ARGUMENT_WORDS:
		return describe_texts();
	case ARGUMENT_NUMBER:
		return json_pack("{s:s, s:i}", "type", "integer", "minimum", 0);
	case ARGUMENT_SECONDS:
		return json_pack("{s:s, s:i}", "type", "integer", "minimum", 1);
	case ARGUMENT_FLAG:
		return json_pack("{s:s}", "type", "boolean");
	case ARGUMENT_FORMAT:
		return describe_choice(argument->words);
	case ARGUMENT_TRACE:
	case ARGUMENT_FILE:
	case ARGUMENT_TEXT:
	case ARGUMENT_CURSOR:
	case ARGUMENT_FOLDER:
	case ARGUMENT_NEW:
		break;
	}
	return json_pack("{s:s}", "type", "string");
}

static json_t *describe_arguments(const struct tool *tool, tool_option_help help)
{
	json_t *properties = json_object(), *needed = json_array();

	for (const struct tool_argument *row = tool->arguments; row->name; row++) {
		json_t *property = describe_kind(row);
		char *text = row->description ? NULL : help(tool->command, row->option);

		json_object_set_new(property, "description",
				    json_string(text ? text : row->description));
		free(text);
		json_object_set_new(properties, row->name, property);
		if (row->is_needed)
			json_array_append_new(needed, json_string(row->name));
	}
	return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties,
			 "required", needed, "additionalProperties", 0);
}

static json_t *describe_tool(const struct tool *tool, tool_option_help help)
{
	json_t *hints =
		json_pack("{s:b, s:b, s:b}", "readOnlyHint", !tool->runs_program, "destructiveHint",
			  tool->runs_program, "openWorldHint", tool->runs_program);

	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "name", tool->name, "title", tool->title,
			 "description", tool->description, "inputSchema",
			 describe_arguments(tool, help), "outputSchema", schema_of_answer(tool),
			 "annotations", hints);
}

json_t *tools_describe(bool runs_programs, tool_option_help help)
{
	json_t *array = json_array();

	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
		if (runs_programs || !tools[i].runs_program)
			json_array_append_new(array, describe_tool(&tools[i], help));
	return array;
}
