"""Drives headless Chromium over the pipe of its DevTools protocol, with the standard library alone."""
import base64
import json
import os
import subprocess


class Chromium:
    """One page. `errors` are what the console said is wrong, `requests` the addresses that were asked for."""

    def __init__(self, program, folder):
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()

        def take_pipes():
            # The protocol is spoken over the descriptors 3 and 4; the copies may be in each other's way.
            high_read, high_write = os.dup2(to_read, 20), os.dup2(to_write, 21)
            os.dup2(high_read, 3)
            os.dup2(high_write, 4)

        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--disable-dev-shm-usage", "--force-device-scale-factor=1",
             f"--user-data-dir={folder}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=take_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self._rest, self._number, self._session = b"", 0, None
        self.errors, self.requests = [], []
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(it for it in targets if it["type"] == "page")
        self._session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")

    def send(self, method, **params):
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _receive(self):
        while b"\0" not in self._rest:
            more = os.read(self._read, 1 << 16)
            if not more:
                raise RuntimeError("chromium has ended")
            self._rest += more
        line, self._rest = self._rest.split(b"\0", 1)
        return json.loads(line)

    def _note(self, event):
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details.get("text")))
        if method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(str(params["args"]))
        if method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def open(self, path):
        """A file, or an address."""
        self.errors, self.requests = [], []
        self.send("Page.navigate", url=path if "://" in path else "file://" + os.path.abspath(path))
        self.wait("document.readyState === 'complete' && document.documentElement.dataset.ready === 'yes'")

    def wait(self, condition):
        """Until it is true; the page has 20 seconds of turns for that, and mostly needs none."""
        turns = self.run(f"""new Promise((done) => {{ let turn = 0; const look = () => {{
            if ({condition}) done(turn); else if (++turn > 400) done(-1); else setTimeout(look, 50); }}; look(); }})""")
        if turns is None or turns < 0:
            raise AssertionError(f"the page never came to: {condition}; console: {self.errors}")

    def run(self, script):
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{script[:200]}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def size(self, width, height, dark=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.settle()

    def settle(self):
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))")

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, pointerType="mouse", **more)

    def key(self, name):
        code = {"windowsVirtualKeyCode": 9} if name == "Tab" else {}  # a browser moves the focus by the number
        for kind in ("rawKeyDown" if code else "keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=name, code=name, **code)

    def picture(self, path, whole=False, **more):
        taken = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **more)
        with open(path, "wb") as file:
            file.write(base64.b64decode(taken["data"]))

    def pdf_bytes(self):
        return len(base64.b64decode(self.send("Page.printToPDF", printBackground=True)["data"]))

    def close(self):
        try:
            os.write(self._write, b'{"id": 999999, "method": "Browser.close"}\0')
            self._process.wait(20)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
