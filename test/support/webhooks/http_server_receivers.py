"""Receivers on Python's http.server, with HTTP/1.0, its default, and HTTP/1.1. Writes the ports as a line of JSON."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        name = self.path.strip("/")
        if name == "early":
            # Unread bytes would be taken for the next request.
            self.close_connection = True
        else:
            self.rfile.read(int(self.headers["content-length"]))
        if name == "interim":
            for status in (100, 102, 103):
                self.send_response_only(status)
                self.end_headers()
        if name == "unknown":
            return self.send_error(404)
        if name == "empty":
            self.send_response(204)
            return self.end_headers()
        self.send_response(200)
        if name == "close":
            self.send_header("connection", "close")
        if name in ("chunked", "trailers"):
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"%x;a=b\r\n%b\r\n0\r\n" % (len(name), name.encode()))
            return self.wfile.write(b"x-sum: 1\r\n\r\n" if name == "trailers" else b"\r\n")
        body = name.encode() * (40_000 if name == "large" else 1)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        for byte in body if name == "drip" else ():
            self.wfile.write(bytes([byte]))
        if name != "drip":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve(version):
    handler = type("Versioned", (Receiver,), {"protocol_version": version})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever).start()
    return server.server_port


ports = {f"http.server of Python, {version}": serve(version) for version in ("HTTP/1.0", "HTTP/1.1")}
print(json.dumps(ports), flush=True)
