/*
 * Writes what the host's threads did (host_states) into a Perfetto trace. One thread. Failures to write show in
 * ferror(group->packets->out).
 *
 * The states are slices on a track "state" below the thread's. They are no thread_state of Perfetto's: these come from the
 * kernel's scheduler events alone, each with a processor, and know running, runnable and asleep. What a thread waited for, and in
 * which line, is what slices can say, and ui.perfetto.dev shows, sums up and finds them as it does calls.
 */
#ifndef STREAMTRACE_EXPORT_PERFETTO_STATES_H
#define STREAMTRACE_EXPORT_PERFETTO_STATES_H

#include "export/perfetto_group.h"

/* Writes a slice a row of the trace's host_states, named as facts/host_states.def does. Its stack is the program's own line. Its
 * arguments: line and called ("augment.py:41 prepare", "NumPy"), object (what it waited for: "pipe"), looks, and ready_ns and
 * faults where they are not 0. Call after the threads' tracks were written. Writes nothing if the trace has no host states. */
void perfetto_write_states(const struct group *group);

#endif
