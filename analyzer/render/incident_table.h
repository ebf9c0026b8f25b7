/*
 * Prints an incident (incident/incident.h) for people: its first line, and what the step did that a normal one did not.
 * Failures to write show in ferror(page->out). One thread.
 */
#ifndef STREAMTRACE_INCIDENT_TABLE_H
#define STREAMTRACE_INCIDENT_TABLE_H

#include "incident/incident.h"
#include "render/page.h"

/* all: small rows, too. False: out of memory. */
bool print_incident(const struct page *page, const struct incident *incident, bool all);

#endif
