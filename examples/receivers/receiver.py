"""A receiver in Python, with its standard library alone. Needs Python 3.9.

LAUNCHWIRE_WEBHOOK_SECRET=whsec_... PORT=8000 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BODY_BYTES_MAX = 128 * 1024


def read_secrets(text):
    """The keys of secrets (whsec_...) with white space between them. Raises unless all are secrets, and there is one."""
    keys = []
    for secret in text.split():
        key = base64.b64decode(secret[len("whsec_"):], validate=True)
        if not secret.startswith("whsec_") or not 24 <= len(key) <= 64:
            raise ValueError("a secret is whsec_ and the base64 of 24 to 64 bytes")
        keys.append(key)
    if not keys:
        raise ValueError("there is no secret")
    return keys


def is_genuine(headers, body, keys):
    """True when the body (bytes) was signed with one of the keys within the last five minutes."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    # isdigit() alone takes digits that int() does not.
    if not (message_id and message_id.isascii() and timestamp.isascii() and timestamp.isdigit()):
        return False
    if len(timestamp) > 12 or abs(time.time() - int(timestamp)) > 300:
        return False
    content = f"{message_id}.{timestamp}.".encode() + body
    # compare_digest() raises for texts that are not ASCII.
    given = [part for part in headers.get("webhook-signature", "").split(" ") if part.isascii()]
    for key in keys:
        expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(expected, signature) for signature in given):
            return True
    return False


# The newest secret and, while a rotation overlaps, the one before.
KEYS = read_secrets(os.environ.get("LAUNCHWIRE_WEBHOOK_SECRET", ""))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = self.headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) <= 9) or int(length) > BODY_BYTES_MAX:
            self.close_connection = True
            return self.respond(413)
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers, body, KEYS):
            return self.respond(400)
        event = json.loads(body)
        # Store the event under its id here, once, before you respond; process it afterwards.
        print(self.headers["webhook-id"], event["type"], flush=True)
        self.respond(204)

    def respond(self, status: int) -> None:
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver).serve_forever()
