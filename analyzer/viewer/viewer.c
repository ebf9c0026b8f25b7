#include "viewer/viewer.h"

#include <stdlib.h>
#include <string.h>

void viewer_init(struct viewer *viewer)
{
	viewer->second.first_id = 1;
}

json_t *viewer_pack_json(struct viewer *viewer, json_t *json)
{
	char *text = json_dumps(json, JSON_COMPACT);
	struct pack_place place;
	json_t *array;

	json_decref(json);
	if (!text)
		return NULL;
	place = pack_add(&viewer->first, text, strlen(text));
	array = json_pack("[i, I, I]", place.block, (json_int_t)place.offset,
			  (json_int_t)strlen(text));
	free(text);
	return array;
}

/* Writes text so that it is no markup and cannot end its element, in HTML or in JSON. In JSON these
 * characters are only found inside strings. */
static void write_escaped(const char *text, bool is_json, FILE *out)
{
	for (; *text; text++) {
		if (strchr("<>&\"'", *text) && !(is_json && strchr("\"'", *text)))
			fprintf(out, is_json ? "\\u%04x" : "&#%d;", *text);
		else
			fputc(*text, out);
	}
}

static void write_head(const char *title, FILE *out)
{
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"script-src 'sha256-%s'; style-src 'sha256-%s'; img-src data:; base-uri 'none'; "
		"form-action 'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<link rel=\"icon\" href=\"data:,\">\n<title>",
		viewer_script_hash, viewer_style_hash);
	write_escaped(title, false, out);
	fprintf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n", viewer_style);
	fputs("<noscript>The timelines of this page need JavaScript.</noscript>\n", out);
}

void viewer_write_text(const char *text, FILE *out)
{
	write_escaped(text, false, out);
}

bool viewer_add(struct viewer *viewer, json_t *shown, char *findings)
{
	char *text = json_dumps(shown, JSON_COMPACT);

	json_decref(shown);
	if (!text || !findings) {
		free(text);
		free(findings);
		return false;
	}
	*vector_add(&viewer->shown) = text;
	*vector_add(&viewer->findings) = findings;
	return true;
}

/* An element of JSON: its id is the name, with a number where that is not 0. */
static void write_json(const char *name, size_t number, const char *text, FILE *out)
{
	fprintf(out, "<script type=\"application/json\" id=\"%s", name);
	if (number)
		fprintf(out, "-%zu", number);
	fputs("\">", out);
	write_escaped(text, true, out);
	fputs("</script>\n", out);
}

bool viewer_write(struct viewer *viewer, const char *title, json_t *processes, FILE *out)
{
	char *text = json_dumps(processes, JSON_COMPACT);
	bool ok = text != NULL;

	json_decref(processes);
	if (!ok)
		return false;
	write_head(title, out);
	fputs("<main>\n<aside>\n", out);
	for (size_t i = 0; i < viewer->findings.count; i++)
		fputs(viewer->findings.items[i], out);
	fputs("</aside>\n</main>\n", out);
	write_json("processes", 0, text, out);
	free(text);
	for (size_t i = 0; i < viewer->shown.count; i++)
		write_json("shown", i + 1, viewer->shown.items[i], out);
	ok = pack_write(&viewer->first, out);
	fprintf(out, "<script>%s</script>\n", viewer_script);
	ok = pack_write(&viewer->second, out) && ok;
	fputs("</body>\n</html>\n", out);
	return ok;
}

void viewer_free(struct viewer *viewer)
{
	for (size_t i = 0; i < viewer->shown.count; i++) {
		free(viewer->shown.items[i]);
		free(viewer->findings.items[i]);
	}
	vector_free(&viewer->shown);
	vector_free(&viewer->findings);
	pack_free(&viewer->first);
	pack_free(&viewer->second);
}
