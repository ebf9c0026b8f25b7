#include "render/edit_json.h"

#include "base/memory.h"
#include "base/quote.h"
#include "findings/source_edits.h"
#include "render/finding_text.h"
#include "render/json_parts.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* NULL: unknown. */
static const char *memory_name(enum memory_kind kind)
{
	switch (kind) {
#define MEMORY_KIND(symbol, number, word)                                                          \
	case MEMORY_##symbol:                                                                      \
		return word;
#include "facts/memory_kinds.def"
#undef MEMORY_KIND
	default:
		return NULL;
	}
}

static const char *stream_kind(const struct trace_operation *operation)
{
	static const char *const words[] = {
#define STREAM_FLAG(symbol, number, word) [STREAM_##symbol] = (word),
#include "facts/stream_flags.def"
#undef STREAM_FLAG
	};

	return words[operation->form->stream->flag];
}

static json_t *sizes_array(uint32_t x, uint32_t y, uint32_t z)
{
	return json_pack("[I, I, I]", (json_int_t)x, (json_int_t)y, (json_int_t)z);
}

/* What the call enqueued. */
static json_t *work_object(const struct trace *trace, const struct trace_operation *operation)
{
	static const char *const kinds[] = {
#define OPERATION_KIND(symbol, number, word) [OPERATION_##symbol] = (word),
#include "facts/operation_kinds.def"
#undef OPERATION_KIND
	};
	static const char *const engines[ENGINE_COUNT] = {"compute", "h2d", "d2h", "peer"};
	const struct trace_operation_form *form = operation ? operation->form : NULL;
	bool is_kernel;

	if (!form)
		return json_null();
	is_kernel = form->kind == OPERATION_KERNEL;
	return json_pack(
		"{s:s, s:s, s:I, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "kind",
		kinds[form->is_graph ? OPERATION_GRAPH : form->kind], "engine", engines[form->engine], "stream",
		(json_int_t)form->stream->id, "stream_kind", stream_kind(operation), "device",
		(json_int_t)form->device_id, "bytes",
		is_kernel ? json_null() : json_integer((json_int_t)form->size_bytes), "from",
		text_or_null(form->kind == OPERATION_COPY ? memory_name(form->src_kind) : NULL),
		"to", text_or_null(is_kernel ? NULL : memory_name(form->dst_kind)), "kernel",
		text_or_null(is_kernel && form->name ? trace_demangle(trace, form->name) : NULL),
		"grid",
		is_kernel ? sizes_array(form->grid_x, form->grid_y, form->grid_z) : json_null(),
		"block",
		is_kernel ? sizes_array(form->block_x, form->block_y, form->block_z) : json_null());
}

json_t *finding_call_object(const struct trace *trace, const struct finding *finding)
{
	const struct trace_call *call = finding->evidence_count ? finding->evidence[0].call : NULL;

	if (!call)
		return json_null();
	return json_pack("{s:s, s:I, s:o, s:I, s:o}", "name", call->form->function->name, "thread",
			 (json_int_t)call->form->thread_id, "bytes",
			 call->form->size_bytes ? json_integer((json_int_t)call->form->size_bytes)
						: json_null(),
			 "result", (json_int_t)call->form->result, "work",
			 work_object(trace, call->operation));
}

/* "app.edit.db" beside app.db, for a shell; the caller frees it. */
static char *edited_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');
	int stem = dot && dot > base ? (int)(dot - path) : (int)strlen(path);
	char *name = memory_format("%.*s.edit.db", stem, path), *quoted = quote_for_shell(name);

	free(name);
	return quoted;
}

/* What predicts the edit's saving, and what proves it. The command line is as the trace has it: its words joined. */
static json_t *proof_object(const struct trace *trace, size_t index)
{
	const char *command = trace_metadata(trace, "command_line");
	char *path = quote_for_shell(trace->file), *name = edited_name(trace->file);
	char *predict = memory_format("streamtrace whatif --apply=%zu %s", index + 1, path);
	char *record =
		memory_format("streamtrace run -o %s %s", name, command ? command : "PROGRAM");
	char *compare = memory_format("streamtrace diff %s %s", path, name);
	json_t *object = json_pack("{s:s, s:s, s:s}", "predict", predict, "record", record,
				   "compare", compare);

	free(compare);
	free(record);
	free(predict);
	free(name);
	free(path);
	return object;
}

static json_t *needs_array(const struct trace *trace, const struct analysis *analysis,
			   const struct finding *finding, const struct source_edit *edit)
{
	char *order = finding_text_order_needed(trace, analysis, finding);
	json_t *array = json_array();

	if (finding->relies_on)
		json_array_append_new(array, json_string(finding->relies_on));
	if (edit->needs)
		json_array_append_new(array, json_string(edit->needs));
	if (order)
		json_array_append_new(array, json_string(order));
	free(order);
	return array;
}

json_t *finding_edit_object(const struct trace *trace, const struct analysis *analysis,
			    size_t index)
{
	const struct source_edit *edit = analysis->edits ? &analysis->edits->items[index] : NULL;

	if (!edit)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "diff", text_or_null(edit->diff),
			 "why_not", text_or_null(edit->why_not), "file", text_or_null(edit->file),
			 "folder", text_or_null(edit->diff ? edit->folder : NULL), "relies_on",
			 needs_array(trace, analysis, &analysis->findings.items[index], edit), "proof",
			 edit->diff ? proof_object(trace, index) : json_null());
}
