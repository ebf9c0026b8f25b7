#include "build_trace.h"

#include <err.h>
#include <glob.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *bytes;
	long end;

	if (!file || fseek(file, 0, SEEK_END) || (end = ftell(file)) < 0)
		err(1, "%s", path);
	rewind(file);
	bytes = calloc((size_t)end + 1, 1);
	if (!bytes || fread(bytes, 1, (size_t)end, file) != (size_t)end)
		err(1, "%s", path);
	fclose(file);
	if (size)
		*size = (size_t)end;
	return bytes;
}

char *read_case(const char *path)
{
	char *sql = read_file(path, NULL), *found = strstr(sql, CASE_FOUND), base[4096], *before,
	     *both;
	const char *names = strstr(sql, "-- Base: ");
	int length = snprintf(base, sizeof(base), "%s/", CASES_FOLDER);

	if (found)
		*found = '\0';
	if (!names || sscanf(names, "-- Base: %255s", base + length) != 1)
		return sql;
	before = read_case(base);
	if (asprintf(&both, "%s%s", before, sql) < 0)
		err(1, "asprintf");
	free(before);
	free(sql);
	return both;
}

void write_file(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
		err(1, "%s", path);
}

void change_trace(const char *path, const char *sql)
{
	sqlite3 *database;

	/* Tests do not outlive the machine: nothing waits for a disk. */
	if (sqlite3_open(path, &database) ||
	    sqlite3_exec(database, "PRAGMA synchronous = OFF", NULL, NULL, NULL) ||
	    sqlite3_exec(database, sql, NULL, NULL, NULL) || sqlite3_close(database))
		errx(1, "%s: %s", path, sqlite3_errmsg(database));
}

void change_trace_spaced(const char *path, const char *sql)
{
	char *tight = strdup(sql), *to = tight;
	bool is_quoted = false;

	for (const char *from = sql; *from; from++) {
		is_quoted ^= *from == '\'';
		if (*from != ' ' || !is_quoted)
			*to++ = *from;
	}
	*to = '\0';
	change_trace(path, tight);
	free(tight);
}

void build_trace(const char *path, const char *file, const char *sql)
{
	char *schema = read_file(SCHEMA_FILE, NULL), *rows, name[4096], *sql_of_file = NULL;

	unlink(path);
	/* In one connection: it is the first table that makes the file, and its pages. */
	if (asprintf(&sql_of_file, "PRAGMA page_size = 512; %s", schema) < 0)
		err(1, "asprintf");
	change_trace(path, sql_of_file);
	free(sql_of_file);
	if (file) {
		snprintf(name, sizeof(name), "%s/%s", CLI_FOLDER, file);
		rows = read_file(name, NULL);
		change_trace(path, rows);
		free(rows);
	}
	if (sql)
		change_trace(path, sql);
	free(schema);
}

char *make_folder(void)
{
	char *folder = strdup("/tmp/streamtrace-test-XXXXXX");

	if (!folder || !mkdtemp(folder))
		err(1, "mkdtemp");
	return folder;
}

void remove_folder(const char *folder)
{
	char pattern[4096];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), "%s/{*,.[!.]*}", folder);
	if (glob(pattern, GLOB_BRACE, NULL, &found) == 0) {
		for (i = 0; i < found.gl_pathc; i++)
			if (unlink(found.gl_pathv[i]))
				remove_folder(found.gl_pathv[i]);
		globfree(&found);
	}
	if (rmdir(folder))
		warn("%s", folder);
}
