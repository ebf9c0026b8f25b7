/* schema.sql as a string in the library, so that the file stays the one definition. */
	.section .rodata
	.global store_schema_sql
	.hidden store_schema_sql
	.type store_schema_sql, @object
store_schema_sql:
	.incbin "schema.sql"
	.byte 0
	.size store_schema_sql, . - store_schema_sql
	.section .note.GNU-stack, "", @progbits
