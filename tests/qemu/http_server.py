"""Serves the folder that it is started in by HTTP, and takes files (PUT) into it.   http_server.py ADDRESS"""
import http.server
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(self.translate_path(self.path), "wb") as file:
            file.write(body)
        self.send_response(201)
        self.send_header("Content-Length", "0")
        self.end_headers()


http.server.ThreadingHTTPServer((sys.argv[1], 80), Handler).serve_forever()
