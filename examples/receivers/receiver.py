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

# The newest secret and, while a rotation overlaps, the one before.
SECRETS = os.environ["LAUNCHWIRE_WEBHOOK_SECRET"].split(" ")
TOLERANCE_SECONDS = 300
BODY_BYTES_MAX = 128 * 1024


def is_genuine(headers, body: bytes, now: float) -> bool:
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not webhook_id or not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    content = f"{webhook_id}.{timestamp}.".encode() + body
    signatures = headers.get("webhook-signature", "").split(" ")[:16]
    for secret in SECRETS:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        expected = b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
        if any(hmac.compare_digest(expected, signature.encode()) for signature in signatures):
            return True
    return False


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()) or int(length) > BODY_BYTES_MAX:
            self.close_connection = True
            return self.respond(413)
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers, body, time.time()):
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
