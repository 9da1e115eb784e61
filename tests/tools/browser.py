"""A headless Chromium that opens one page after the other: it starts once for all pages of a suite.

    browser.py PROFILE      PROFILE is an empty folder for what the browser keeps

Each line on standard input is a request, a JSON object; when it is done, a line on standard output says "done", or what
went wrong. A request has some of these members, which are done in this order:

    scheme   "dark" or "light": what the page is told that the reader prefers, from now on
    open     this file is opened, in a window 1400 pixels wide and `height` high
    run      the JavaScript of this file runs in the page as the body of a function; what it returns, a string, is
             written to the file `result`
    said     this file gets a line for each error and each word on the console since the page was opened
    picture  the elements that the selector `of` finds are drawn into this file, PNG

The browser is spoken to by the Chrome DevTools Protocol over two pipes (--remote-debugging-pipe): JSON messages, each
with a zero byte behind it. It reads descriptor 3 and writes 4.
"""
import base64
import fcntl
import json
import os
import pathlib
import select
import subprocess
import sys
import time

DEADLINE = 60  # seconds for a request, until then nothing is said of the page
WIDTH = 1400


class Browser:
    def __init__(self, profile):
        to_browser, self.write_to = os.pipe()
        self.read_from, from_browser = os.pipe()
        # Above 4 both ways, since 3 and 4 may be among what the pipes are.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (to_browser, from_browser)]
        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=lambda: (os.dup2(ends[0], 3), os.dup2(ends[1], 4)), close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL)
        for end in to_browser, from_browser, *ends:
            os.close(end)
        self.number = 0
        self.bytes = b""
        self.said = []
        self.loaded = False
        self.session = None
        self.deadline = time.monotonic() + DEADLINE
        page = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Log":
            self.ask(domain + ".enable")

    def message(self):
        """The next message of the browser."""
        while b"\0" not in self.bytes:
            if not select.select([self.read_from], [], [], max(0, self.deadline - time.monotonic()))[0]:
                raise TimeoutError(f"no answer within {DEADLINE} s")
            more = os.read(self.read_from, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.bytes += more
        message, self.bytes = self.bytes.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        """What a page says without being asked."""
        method, of = event.get("method"), event.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Log.entryAdded":
            self.said.append("LOG: " + of["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.said.append("CONSOLE: " + json.dumps(of["args"]))
        elif method == "Runtime.exceptionThrown":
            self.said.append("EXCEPTION: " + json.dumps(of["exceptionDetails"]))

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_to, json.dumps(message).encode() + b"\0")
        while (answer := self.message()).get("id") != self.number:
            self.note(answer)
        if "error" in answer:
            raise ValueError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, path, height):
        self.ask("Emulation.setDeviceMetricsOverride", width=WIDTH, height=height, deviceScaleFactor=1, mobile=False)
        self.said, self.loaded = [], False
        wrong = self.ask("Page.navigate", url=pathlib.Path(path).resolve().as_uri()).get("errorText")
        if wrong:
            raise ValueError(f"{path}: {wrong}")
        while not self.loaded:
            self.note(self.message())

    def run(self, script):
        """What the script returns."""
        answer = self.ask("Runtime.evaluate", expression=f"(() => {{ {script}\n }})()", returnByValue=True)
        if "exceptionDetails" in answer:
            raise ValueError("the script: " + json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def picture(self, selector):
        around = self.run(f"""const all = [...document.querySelectorAll({json.dumps(selector)})].map((e) => e.getBoundingClientRect());
            const x = Math.min(...all.map((r) => r.left)), y = Math.min(...all.map((r) => r.top));
            return all.length ? {{ x: x + scrollX, y: y + scrollY, width: Math.max(...all.map((r) => r.right)) - x,
                height: Math.max(...all.map((r) => r.bottom)) - y, scale: 1 }} : null;""")
        if not around:
            raise ValueError(f"the page has no {selector}")
        return base64.b64decode(self.ask("Page.captureScreenshot", clip=around, captureBeyondViewport=True)["data"])

    def serve(self, request):
        self.deadline = time.monotonic() + DEADLINE
        if "scheme" in request:
            self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": request["scheme"]}])
        if "open" in request:
            self.open(request["open"], request["height"])
        if "run" in request:
            pathlib.Path(request["result"]).write_text(self.run(pathlib.Path(request["run"]).read_text()) + "\n")
        if "picture" in request:
            pathlib.Path(request["picture"]).write_bytes(self.picture(request["of"]))
        if "said" in request:
            pathlib.Path(request["said"]).write_text("".join(line + "\n" for line in self.said))

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


browser = Browser(sys.argv[1])
try:
    for line in sys.stdin:
        try:
            browser.serve(json.loads(line))
            print("done", flush=True)
        except (ValueError, TimeoutError, EOFError, OSError) as wrong:
            print(" ".join(str(wrong).split())[:2000], flush=True)
finally:
    browser.end()
