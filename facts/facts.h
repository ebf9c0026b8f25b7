/*
 * The facts that several parts of streamtrace must agree on, one a file.
 *
 * libstrace.so writes these words and numbers into a trace, the analyzer reads them, schema.sql
 * explains them. A fact is a .def file of rows: to use it, define the row's macro, include the
 * file, undefine the macro. This header makes the enums, for all parts.
 *
 *	function_classes.def  what a call does: functions.class
 *	loss_kinds.def        what can be lost: losses.kind
 *	operation_kinds.def   what the device does: operations.kind
 *	overhead_kinds.def    what took time beside the program's work: overheads.kind
 *	memory_kinds.def      where memory is: operations.src_kind, allocations.memory_kind
 *	stream_flags.def      how a stream orders itself with the default stream: streams.flag
 *	errors.def            what a call's result means: calls.result
 *	first_use_kinds.def   how a watch of copied memory ended: first_uses.kind
 *	collectives.def       what NCCL's calls do: collectives.operation
 *	columns.def           the tables and their columns: rows.h makes a struct for each table
 *	call_blocks.h         how calls that are stored as bytes are read
 *	format.h              the format's version
 *	environment.def       the STREAMTRACE_ variables, with their checks (check.h)
 *	output_name.def       the % fields of an output name
 *	watch_page.h          what a program in watch mode says of itself
 *
 * preload/api and preload/cupti use function_classes.def; preload/base loss_kinds.def,
 * environment.def and output_name.def (the latter two also analyzer/commands, for help and manual
 * page); preload/store makes each INSERT from columns.def, analyzer/trace each SELECT, with the
 * checks of what it reads. analyzer/trace turns the words of the other lists into numbers; higher
 * rooms use the enums.
 *
 * To add a row: add it to its file (at the end if numbers count up), and to the comment in
 * preload/schema.sql that explains the column; tests/unit/facts_test.c fails until both agree. What
 * remains is the code that produces it: the call's row in preload/api/calls.def, a call of
 * losses_count(), the value of the new column. A new column or table is a new minor version:
 * docs/develop/adding-recorded-data.md. Words and numbers of the format must never change: people keep
 * traces.
 *
 * Nothing here is linked: only headers and lists, for any thread.
 */
#ifndef STREAMTRACE_FACTS_H
#define STREAMTRACE_FACTS_H

#include "facts/format.h"

/* functions.class. An unknown word, from a newer streamtrace, is CLASS_OTHER. */
enum function_class {
	CLASS_OTHER,
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot) CLASS_##symbol,
#include "facts/function_classes.def"
#undef FUNCTION_CLASS
	CLASS_COUNT
};

/* losses.kind, a word in the file. */
enum loss {
#define LOSS_KIND(symbol, word, is_event, text) LOSS_##symbol,
#include "facts/loss_kinds.def"
#undef LOSS_KIND
	LOSS_COUNT
};

/* operations.kind. */
enum operation_kind {
#define OPERATION_KIND(symbol, number, word) OPERATION_##symbol = (number),
#include "facts/operation_kinds.def"
#undef OPERATION_KIND
	OPERATION_KIND_COUNT
};

/* overheads.kind. */
enum overhead_kind {
#define OVERHEAD_KIND(symbol, number, word) OVERHEAD_##symbol = (number),
#include "facts/overhead_kinds.def"
#undef OVERHEAD_KIND
};

/* What a call's result other than 0 means: errors.def. */
enum call_error_kind { CALL_FAILED, DEVICE_FAILED, NOT_FAILED };

/* operations.src_kind and dst_kind, allocations.memory_kind. */
enum memory_kind {
#define MEMORY_KIND(symbol, number, word) MEMORY_##symbol = (number),
#include "facts/memory_kinds.def"
#undef MEMORY_KIND
};

/* streams.flag. */
enum stream_flag {
#define STREAM_FLAG(symbol, number, word) STREAM_##symbol = (number),
#include "facts/stream_flags.def"
#undef STREAM_FLAG
	STREAM_FLAG_COUNT
};

/* first_uses.kind. */
enum first_use_kind {
#define FIRST_USE_KIND(symbol, number, text) FIRST_USE_##symbol = (number),
#include "facts/first_use_kinds.def"
#undef FIRST_USE_KIND
	FIRST_USE_KIND_COUNT
};

/* host_states.state. */
enum host_state {
#define HOST_STATE(symbol, number, text) HOST_STATE_##symbol = (number),
#include "facts/host_states.def"
#undef HOST_STATE
	HOST_STATE_COUNT
};

/* collectives.operation. */
enum collective_operation {
#define COLLECTIVE(symbol, number, word) COLLECTIVE_##symbol = (number),
#include "facts/collectives.def"
#undef COLLECTIVE
	COLLECTIVE_OPERATION_COUNT
};

#endif
