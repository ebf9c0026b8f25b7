/* ours_as_theirs.sql as a string. */
	.section .rodata
	.global ours_as_theirs_sql
	.hidden ours_as_theirs_sql
	.type ours_as_theirs_sql, @object
ours_as_theirs_sql:
	.incbin "export/ours_as_theirs.sql"
	.byte 0
	.size ours_as_theirs_sql, . - ours_as_theirs_sql
	.section .note.GNU-stack, "", @progbits
