"""What of JSON Schema the schemas of streamtrace use: is_valid(), and what a schema leaves out."""

EVERY = {"$schema", "$defs", "$ref", "title", "description", "type", "properties", "required", "items", "oneOf", "enum", "const",
         "minimum", "additionalProperties"}


def type_of(value):
    names = {dict: "object", list: "array", str: "string", int: "integer", float: "number", bool: "boolean"}
    return "null" if value is None else names[type(value)]


def is_valid(value, schema, root):
    if "$ref" in schema and not is_valid(value, root["$defs"][schema["$ref"].split("/")[-1]], root):
        return False
    kinds = schema.get("type", type_of(value))
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if type_of(value) not in kinds and not (type_of(value) == "integer" and "number" in kinds):
        return False
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "minimum" in schema and value is not None and value < schema["minimum"]:
        return False
    if "oneOf" in schema and sum(is_valid(value, one, root) for one in schema["oneOf"]) != 1:
        return False
    if isinstance(value, dict):
        return set(schema.get("required", [])) <= set(value) and all(
            is_valid(value[key], one, root) for key, one in schema.get("properties", {}).items() if key in value)
    return not isinstance(value, list) or all(is_valid(one, schema.get("items", {}), root) for one in value)


def keys_without_schema(value, schema, root):
    """Keys of the value that the schema does not name."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].split("/")[-1]]
    for one in schema.get("oneOf", []):
        if is_valid(value, one, root):
            yield from keys_without_schema(value, one, root)
            return
    if isinstance(value, dict):
        for key, one in value.items():
            if key not in schema.get("properties", {}):
                if "additionalProperties" not in schema:
                    yield key
            else:
                yield from keys_without_schema(one, schema["properties"][key], root)
    elif isinstance(value, list):
        for one in value:
            yield from keys_without_schema(one, schema.get("items", {}), root)


def undescribed(schema, path=""):
    """Properties without a description, and words that is_valid() does not know."""
    if isinstance(schema, list):
        for one in schema:
            yield from undescribed(one, path)
    if not isinstance(schema, dict):
        return
    for word in set(schema) - EVERY:
        yield f"{path}: {word}"
    for group in ("properties", "$defs"):
        for name, one in schema.get(group, {}).items():
            if group == "properties" and not one.get("description"):
                yield f"{path}.{name}"
            yield from undescribed(one, f"{path}.{name}")
    for word in ("items", "oneOf", "additionalProperties"):
        yield from undescribed(schema.get(word), f"{path}.{word}")


def errors(value, schema):
    """What is wrong with the value, in words; by jsonschema, too, where that is installed."""
    try:
        import jsonschema
        jsonschema.Draft202012Validator.check_schema(schema)
        for error in jsonschema.Draft202012Validator(schema).iter_errors(value):
            yield error.message
    except (ImportError, AttributeError):
        pass
    if not is_valid(value, schema, schema):
        yield "not as the schema says"
    for key in set(keys_without_schema(value, schema, schema)):
        yield f"the schema does not have {key}"
