/* An incident as JSON. The caller releases it. NULL: out of memory. One thread. */
#ifndef STREAMTRACE_INCIDENT_JSON_H
#define STREAMTRACE_INCIDENT_JSON_H

#include "incident/incident.h"

#include <jansson.h>

/* JSON null if the incident is NULL. */
json_t *incident_json(const struct incident *incident);

#endif
