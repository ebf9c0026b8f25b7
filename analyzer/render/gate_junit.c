/* JUnit's XML, as the tools that show test results read it: a test case a finding. */
#include "render/gate_report.h"

/* The text is UTF-8 without control characters but for newlines. */
static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '>')
			fputs("&gt;", out);
		else if (*text == '"')
			fputs("&quot;", out);
		else
			fputc(*text, out);
	}
}

/* name="text", after a space. */
static void put_attribute(FILE *out, const char *name, const char *text)
{
	fprintf(out, " %s=\"", name);
	put_escaped(out, text);
	fputc('"', out);
}

static void put_outcome(FILE *out, const char *element, const char *message, const char *text)
{
	fprintf(out, "      <%s", element);
	put_attribute(out, "message", message);
	fputc('>', out);
	put_escaped(out, text);
	fprintf(out, "</%s>\n", element);
}

static bool is_skipped(const struct gate_row *row)
{
	return !row->fails && (row->reason || row->verdict == GATE_UNDECIDED);
}

static void put_row(FILE *out, const struct gate *gate, const struct gate_row *row)
{
	fputs("    <testcase", out);
	put_attribute(out, "classname", row->id);
	put_attribute(out, "name", row->place.name);
	if (row->place.file)
		put_attribute(out, "file", row->place.file);
	if (row->place.line > 0)
		fprintf(out, " line=\"%d\"", row->place.line);
	fputs(">\n", out);
	if (row->fails)
		put_outcome(out, "failure", gate_verdicts[row->verdict].word, row->message);
	else if (is_skipped(row))
		put_outcome(out, "skipped", row->reason ? row->reason : "undecided", row->message);
	else
		fputs("      <system-out>", out), put_escaped(out, row->message),
			fputs("</system-out>\n", out);
	fputs("    </testcase>\n", out);
}

/* A gate that cannot tell has an error; one without any finding passes one test. */
static void put_verdict(FILE *out, const struct gate *gate)
{
	fputs("    <testcase", out);
	put_attribute(out, "classname", gate->command);
	put_attribute(out, "name", "conclusive");
	fputs(">\n", out);
	for (size_t i = 0; i < gate->notes.count; i++)
		if (gate->notes.items[i].level == GATE_DOUBT) {
			put_outcome(out, "error", "inconclusive", gate->notes.items[i].text);
			break;
		}
	fputs("    </testcase>\n", out);
}

bool gate_print_junit(FILE *out, const struct gate *gate)
{
	size_t failures = 0, skipped = 0, doubts = 0;

	for (size_t i = 0; i < gate->rows.count; i++) {
		failures += gate->rows.items[i].fails;
		skipped += is_skipped(&gate->rows.items[i]);
	}
	for (size_t i = 0; i < gate->notes.count; i++)
		doubts |= gate->notes.items[i].level == GATE_DOUBT;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
	fprintf(out,
		"  <testsuite name=\"streamtrace %s\" tests=\"%zu\" "
		"failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
		gate->command, gate->rows.count + 1, failures, doubts, skipped);
	for (size_t i = 0; i < gate->rows.count; i++)
		put_row(out, gate, &gate->rows.items[i]);
	put_verdict(out, gate);
	fputs("  </testsuite>\n</testsuites>\n", out);
	return true;
}
