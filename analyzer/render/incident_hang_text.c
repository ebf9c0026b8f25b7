#include "render/incident_hang_text.h"

#include "base/format.h"
#include "base/memory.h"
#include "render/render.h"
#include "trace/short_name.h"
#include "trace/texts.h"

#include <stdlib.h>
#include <time.h>

char *incident_text_since(const struct incident *incident)
{
	const struct trace_incident *row = incident->row;
	const time_t seconds = (time_t)(row->entered_ns / 1000000000);
	char *thread, *text, when[32];
	struct tm date;

	if (row->cause != INCIDENT_HANG || !row->site || row->entered_ns < 0 ||
	    !gmtime_r(&seconds, &date))
		return NULL;
	strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S UTC", &date);
	thread = trace_text_thread(incident->trace, row->thread_id);
	text = memory_format("Since %s, %s:", when, thread);
	free(thread);
	return text;
}

static char *python_frame_text(const struct incident *incident,
			       const struct trace_python_frame *frame)
{
	const struct site site = {.file = frame->file, .line = frame->line};
	char *where = render_site(incident->trace, &site);
	char *text = memory_format("%s %s", where, frame->function);

	free(where);
	return text;
}

static char *native_frame_text(const struct incident *incident, const struct trace_frame *frame)
{
	const struct site site = {.file = frame->file,
				  .line = frame->line,
				  .module = frame->module,
				  .offset = frame->offset};
	char *where = render_site(incident->trace, &site), *text;
	struct short_name name;

	text = memory_format(
		"%s%s%s", where, frame->function ? " " : "",
		frame->function ? short_name(&name, frame->function, SHORT_NAME_FUNCTION) : "");
	free(where);
	return text;
}

char *incident_text_frame(const struct incident *incident, size_t index)
{
	const struct trace_site *site = incident->row->site;

	if (!site)
		return NULL;
	if (index < (size_t)site->python_depth)
		return python_frame_text(incident, &site->python_frames[index]);
	index -= (size_t)site->python_depth;
	return index < (size_t)site->depth ? native_frame_text(incident, &site->frames[index])
					   : NULL;
}

char *incident_text_device(const struct incident *incident)
{
	const struct incident_device *device = &incident->device;
	struct format recorded, count, before;
	struct short_name name;
	int64_t until_ns;

	if (!device->recorded_ns)
		return memory_format("GPU: not recorded");
	format_time(&recorded, device->recorded_ns);
	if (!device->last)
		return memory_format("GPU, recorded for %s: no operation ended", recorded.text);
	until_ns = incident->row->device_start_ns + device->recorded_ns - device->last->end_ns;
	return memory_format(
		"GPU, recorded for %s: %s operation%s ended, the last %s before the end%s%s%s",
		recorded.text, format_count(&count, device->operation_count),
		device->operation_count == 1 ? "" : "s",
		format_time(&before, until_ns > 0 ? until_ns : 0),
		device->last->form->name ? " (kernel \"" : "",
		device->last->form->name
			? short_name(&name,
				     trace_demangle(incident->trace, device->last->form->name),
				     SHORT_NAME_KERNEL)
			: "",
		device->last->form->name ? "\")" : "");
}
