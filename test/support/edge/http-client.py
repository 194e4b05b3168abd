"""Sends the requests of stdin with Python's http.client, and prints what it gets: see edge-clients.ts."""

import base64
import http.client
import json
import sys

plan = json.load(sys.stdin)


def send(connection, request):
    body = request.get("body")
    connection.request(
        request["method"],
        request["path"],
        body=None if body is None else body.encode(),
        headers=request["headers"],
    )
    response = connection.getresponse()
    until = request.get("until")
    if until is None:
        read = response.read()
    else:
        read = b""
        while until.encode() not in read:
            line = response.readline()
            if not line:
                raise EOFError(f"the response ended before {until!r}")
            read += line
        connection.close()
    headers = {name.lower(): value for name, value in response.getheaders()}
    return {"status": response.status, "headers": headers, "body": base64.b64encode(read).decode()}


connection = http.client.HTTPConnection(plan["host"], timeout=60)
print(json.dumps([send(connection, request) for request in plan["requests"]]))
