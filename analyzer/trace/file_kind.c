#include "trace/file_kind.h"

#include "base/regular_file.h"
#include "facts/format.h"

#include <string.h>
#include <unistd.h>

#define ID_OFFSET 68 /* application_id; https://sqlite.org/fileformat.html, 1.3 */

enum file_kind file_kind_of(int file)
{
	char header[ID_OFFSET + 4];
	ssize_t size = file < 0 ? -1 : pread(file, header, sizeof(header), 0);

	if (size == 0)
		return FILE_EMPTY;
	if (size != sizeof(header) || memcmp(header, "SQLite format 3", 16))
		return FILE_OTHER;
	return !memcmp(header + ID_OFFSET, FORMAT_APPLICATION_BYTES, 4) ? FILE_TRACE
	       : !memcmp(header + ID_OFFSET, FORMAT_SUMMARY_BYTES, 4)	? FILE_SUMMARY
									: FILE_DATABASE;
}

enum file_kind file_kind_at(const char *path)
{
	int file = regular_file_open(path);
	enum file_kind kind = file_kind_of(file);

	if (file >= 0)
		close(file);
	return kind;
}
