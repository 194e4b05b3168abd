"""Python's http.client: POSTs to each row and once more, and writes what it read as one line of JSON."""
import base64
import http.client
import json
import sys

port, rows = map(int, sys.argv[1:3])


def post(connection, path):
    seen = {"status": None, "body": "", "error": None}
    try:
        connection.request("POST", path, body=b"{}")
        response = connection.getresponse()
        seen["status"] = response.status
        body = b""
        try:
            body = response.read()
        except http.client.IncompleteRead as error:
            body = error.partial
            raise
        finally:
            seen["body"] = base64.b64encode(body).decode()
    except Exception as error:
        seen["error"] = repr(error)
        connection.close()
    return seen


for row in range(rows):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    first = post(connection, f"/row/{row}")
    second = post(connection, f"/next/{row}")
    connection.close()
    print(json.dumps({"row": row, "first": first, "second": second}), flush=True)
