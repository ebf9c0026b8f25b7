/*
 * The version of the trace format: application_id and user_version in schema.sql.
 *
 * A new column or table is a minor version, a changed meaning a major one. A reader must refuse a
 * newer major version, and ignore columns that it does not know. columns.def has the version that
 * added each table.
 */
#ifndef STREAMTRACE_FORMAT_VERSION_H
#define STREAMTRACE_FORMAT_VERSION_H

#define FORMAT_APPLICATION_ID	 1398035011
#define FORMAT_APPLICATION_BYTES "STRC" /* the id in the file, at byte 68 */
/* The format of summaries (analyzer/job/summary.sql). */
#define FORMAT_SUMMARY_APPLICATION_ID 1398035027
#define FORMAT_SUMMARY_BYTES	      "STRS"
#define FORMAT_SUMMARY_MAJOR	      1
/* Since then launch_arguments has pointers to any memory, not only those near known memory. */
#define FORMAT_ALL_POINTERS 2004
#define FORMAT_VERSION	    (FORMAT_MAJOR * 1000 + FORMAT_MINOR)

enum {
#define FORMAT(major, minor) FORMAT_MAJOR = (major), FORMAT_MINOR = (minor)
#include "facts/columns.def"
};

#endif
