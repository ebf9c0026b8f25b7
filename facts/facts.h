/*
 * What several parts of streamtrace must agree on, each fact in one file.
 *
 * libstrace.so writes these words and numbers into a trace, the analyzer reads them, schema.sql
 * explains them. A fact is a .def file of rows; who needs it defines the row's macro, includes the
 * file and undefines the macro again. This header makes the enums of them, for all parts.
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
 *	columns.def           the tables and their columns: rows.h makes a struct a table of it
 *	call_blocks.h         how calls that are stored as bytes are read
 *	format.h              the format's version
 *	environment.def       the STREAMTRACE_ variables, with their checks (check.h)
 *	output_name.def       the % fields of an output name
 *
 * Who includes what: preload/api makes the classes of its functions from function_classes.def,
 * preload/cupti what it does in their callbacks; preload/base takes the words of the losses from
 * loss_kinds.def and its options from environment.def and output_name.def, as analyzer/commands does
 * for help and manual page; preload/store makes each INSERT from columns.def. analyzer/trace makes each
 * SELECT from columns.def, with the checks of what it reads, and turns the words of the other lists
 * into numbers; the rooms above it use the enums.
 *
 * To add a row: add it to its file, at the end where the numbers count up, and to the comment in
 * preload/schema.sql that explains the column. Everything that is made from the list then has it.
 * What remains is the code that produces it: the call's row in preload/api/calls.def, a call of
 * losses_count(), the value of the new column where its row is made. A new column or table is a new
 * minor version: docs/develop/adding-recorded-data.md.
 * tests/unit/facts_test.c fails until schema.sql agrees. Words and numbers of the format must not
 * change: people keep traces.
 *
 * Nothing here is linked: headers and lists only, for any thread.
 */
#ifndef STREAMTRACE_FACTS_H
#define STREAMTRACE_FACTS_H

#include "facts/format.h"

/* functions.class. A trace of a newer streamtrace may have others: CLASS_OTHER. */
enum function_class {
	CLASS_OTHER,
#define FUNCTION_CLASS(name, symbol, word, makes_operations, is_hot) CLASS_##symbol,
#include "facts/function_classes.def"
#undef FUNCTION_CLASS
	CLASS_COUNT
};

/* losses.kind; in the file it is a word. */
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

/* What a result other than 0 says of the call. */
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

/* collectives.operation. */
enum collective_operation {
#define COLLECTIVE(symbol, number, word) COLLECTIVE_##symbol = (number),
#include "facts/collectives.def"
#undef COLLECTIVE
	COLLECTIVE_OPERATION_COUNT
};

#endif
