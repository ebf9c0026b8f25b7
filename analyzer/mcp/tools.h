/*
 * The tools of the server, as one table: each is a command of the command line with some of its options. The JSON that
 * clients see of them, the checks and the command lines are made from it. One thread.
 */
#ifndef STREAMTRACE_MCP_TOOLS_H
#define STREAMTRACE_MCP_TOOLS_H

#include <jansson.h>
#include <stdbool.h>

enum argument_kind {
	ARGUMENT_TRACES, /* files and folders below the roots: operands, behind the word in `option` if there is one */
	ARGUMENT_TRACE,	 /* one of them */
	ARGUMENT_FILE,	 /* a file below the roots: an option's value */
	ARGUMENT_TEXT,	 /* an option's value; without an option an operand */
	ARGUMENT_LIST,	 /* texts: an option's value, with commas between them */
	ARGUMENT_NUMBER, /* from 0 */
	ARGUMENT_FLAG,
	ARGUMENT_FORMAT, /* "json" or another of `words` */
	ARGUMENT_CURSOR,
	ARGUMENT_WORDS,	  /* the command line of a program: operands */
	ARGUMENT_FOLDER,  /* where that program starts */
	ARGUMENT_NEW,	  /* a folder to be made for traces: the value of an option */
	ARGUMENT_SECONDS, /* how long it may take */
};

/* A row ends a tool's arguments if its name is NULL. */
struct tool_argument {
	const char *name;
	enum argument_kind kind;
	bool is_needed;
	const char *option;	 /* of the command, without dashes; NULL: none */
	const char *description; /* NULL: the option's help */
	const char *words;	 /* of ARGUMENT_FORMAT: "json|text" */
};

struct tool {
	const char *name, *command, *title, *description;
	const struct tool_argument *arguments;
	const char *const *options; /* always given, then NULL */
	const char *const *schemas; /* of the command's JSON, one of them, then NULL */
	bool has_json; /* the command prints JSON, unless another format is asked for */
	bool runs_program;
	bool reads_sources; /* the command has --source-folders: they are the roots */
};

/* What the command line's help says of a command's option, malloc'ed. */
typedef char *(*tool_option_help)(const char *command, const char *option);

/* NULL: there is none of that name. */
const struct tool *tool_find(const char *name);

/* Returns the array of all tools, as tools/list has it: a new reference. runs_programs: those that run programs, too. */
json_t *tools_describe(bool runs_programs, tool_option_help help);

#endif
