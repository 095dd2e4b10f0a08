"""A headless Chromium driven over the DevTools protocol through two pipes: nothing but Python and the browser."""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise SystemExit("chromium is not installed (package: chromium)")


# Seconds. Only what hangs may reach them: on a busy machine everything takes many times as long.
PATIENCE = 600
START_ATTEMPTS = 3  # of the browser: it gives up by itself when its own processes are slow


class Browser:
    """One page. Uncaught exceptions and messages of level error are collected in `problems`."""

    def __init__(self, width=1400, height=900):
        for left in reversed(range(START_ATTEMPTS)):
            try:
                self._start(width, height)
                return
            except (EOFError, TimeoutError, BrokenPipeError, StopIteration) as error:
                self.close()
                if not left:
                    raise RuntimeError(f"chromium does not start: {error}") from error

    def _start(self, width, height):
        self.profile = tempfile.mkdtemp(prefix="plait-chromium-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def pipes():
            # The protocol's numbers are 3 and 4; either may be in use for the other's end.
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3), os.dup2(b, 4)

        self.process = subprocess.Popen(
            [find_chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe", "--disable-extensions",
             f"--user-data-dir={self.profile}", f"--window-size={width},{height}", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        os.close(to_browser), os.close(from_browser)
        self.buffer, self.next_id, self.session, self.problems, self.requests = b"", 0, None, [], []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def _receive(self, deadline):
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], max(0, deadline - time.time()))[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.read_end, 1 << 20)
            if not data:
                raise EOFError("the browser has ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def _event(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.problems.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def call(self, method, **params):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        deadline = time.time() + PATIENCE
        while True:
            answer = self._receive(deadline)
            if answer.get("id") == self.next_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._event(answer)

    def open(self, path, dark=False):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.requests.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        deadline = time.time() + PATIENCE
        while self.js("document.readyState") != "complete" or not self.js("location.href").startswith("file:"):
            if time.time() > deadline:
                raise TimeoutError("the page does not load")
            time.sleep(0.02)

    def js(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def key(self, key, text=None):
        code = {" ": "Space"}.get(key, key)
        text = text if text is not None else (key if len(key) == 1 else "")
        down = {"type": "keyDown", "key": key, "code": code}
        if text:
            down["text"] = text
        self.call("Input.dispatchKeyEvent", **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code)

    def _middle(self, selector):
        box = self.js(f"(() => {{ const r = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                      " return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        return box

    def click(self, selector):
        x, y = self._middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def hover(self, selector):
        x, y = self._middle(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def screenshot(self, path):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        with open(path, "wb") as out:
            out.write(data)
        return data

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.write_end), os.close(self.read_end)
        shutil.rmtree(self.profile, ignore_errors=True)
