"""The OpenAPI document, made of the very table that the routes are made of."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from msgspec import json
from msgspec.structs import fields

from cli.server.answers import Error
from cli.server.operations import OPERATIONS, Headers, Operation, Reading, Since, Strict

_REFS = "#/components/schemas/{name}"

#: What each status says, whatever was asked.
_ALWAYS = {
    400: "Not understood.",
    401: "The token is not known, or was revoked.",
    429: "Too many requests; wait as long as `Retry-After` says.",
    500: "The log is damaged, or the server is at fault.",
    503: "Too busy, or the database is not to be had; nothing was written.",
}
_OF_GAMES = {
    403: "Whoever asks may not do that.",
    404: "There is no such game, event or seat, or none that whoever asks may know of.",
    422: "Refused by the rules.",
}
_OF_WRITES = {
    403: "Whoever asks may not do that.",
    404: "There is no such game.",
    409: "Another one was first, or the `Idempotency-Key` was used for something else; nothing was written.",
    412: "The game has gone on since the event of `If-Match`; nothing was written.",
    504: "The database was lost in the last moment: say it again with the same `Idempotency-Key`.",
    413: "Too many bytes.",
    415: "Not JSON.",
    422: "Refused by the rules.",
}


def document() -> dict[str, Any]:
    """The document as JSON is made of."""
    types: list[Any] = [Error]
    for operation in OPERATIONS:
        types += [operation.answer] if operation.body is None else [operation.answer, operation.body]
    schemas, components = json.schema_components(types, ref_template=_REFS)
    by_type = dict(zip(map(repr, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation, by_type)
    paths["/api/g/{game}/events"] = {"get": _events(by_type)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "turnlog",
            "version": version("turnlog"),
            "description": "Play by HTTP: the documents are those of the command line with --json.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "What `turnlog invite` gave."}
            },
        },
        "security": [{}, {"token": []}],
    }


def _described(operation: Operation, by_type: dict[str, Any]) -> dict[str, Any]:
    refusals = _ALWAYS | (_OF_GAMES if "{" in operation.path else {}) | (_OF_WRITES if operation.writes else {})
    if operation.query is not operation.query.__base__:
        refusals = refusals | {404: _OF_GAMES[404], 422: _OF_GAMES[422]}
    answered: dict[str, Any] = {"description": "Done." if operation.writes else "Found."}
    answered["content"] = {
        media: {"schema": by_type[repr(operation.answer)] if media == "application/json" else {"type": "string"}}
        for media in operation.media
    }
    error = {"application/json": {"schema": by_type[repr(Error)]}}
    found: dict[str, Any] = {
        "operationId": operation.name,
        "summary": (operation.run.__doc__ or "").strip(),
        "parameters": [*_path(operation), *_query(operation.query), *_headers(operation.headers)],
        "responses": {
            str(operation.status): answered,
            **{str(status): {"description": text, "content": error} for status, text in sorted(refusals.items())},
        },
    }
    if operation.free:
        found["security"] = []
        del found["responses"]["401"]
    if operation.body is not None:
        schema = by_type[repr(operation.body)]
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return found


def _events(by_type: dict[str, Any]) -> dict[str, Any]:
    """The stream, which is no document."""
    like = next(operation for operation in OPERATIONS if operation.query is Reading)
    found = _described(like._replace(query=Since), by_type)
    last = ({"type": "string", "pattern": "^[0-9]{1,15}$"}, "The last event that was received.")
    found["responses"]["200"] = {
        "description": "Server-sent events: `id` is the event's number, `data` what `log` has of it.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
    found["parameters"] += _headers({"Last-Event-ID": last})
    return found | {"operationId": "events", "summary": "A game's events as they happen"}


def _path(operation: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in ("game", "slug")
        if f"{{{name}}}" in operation.path
    ]


def _query(query: type[Strict]) -> list[dict[str, Any]]:
    components: dict[str, Any] = json.schema_components([query], ref_template=_REFS)[1]
    properties: dict[str, Any] = components[query.__name__]["properties"]
    return [
        {"name": one.encode_name, "in": "query", "required": one.required, "schema": properties[one.encode_name]}
        for one in fields(query)
    ]


def _headers(headers: Headers) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "header",
            "required": False,
            "description": text,
            "schema": schema,
        }
        for name, (schema, text) in headers.items()
    ]
