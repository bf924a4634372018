"""Bytes to records: layout, strict reader, schema validation, references."""
