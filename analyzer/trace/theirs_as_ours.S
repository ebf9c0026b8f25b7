/* theirs_as_ours.sql as a string. */
	.section .rodata
	.global theirs_as_ours_sql
	.hidden theirs_as_ours_sql
	.type theirs_as_ours_sql, @object
theirs_as_ours_sql:
	.incbin "trace/theirs_as_ours.sql"
	.byte 0
	.size theirs_as_ours_sql, . - theirs_as_ours_sql
	.section .note.GNU-stack, "", @progbits
