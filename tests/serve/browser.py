"""A headless Chromium that a test drives, over the pipe of its debugging protocol."""

import base64
import fcntl
import json
import os
import subprocess
import time


def _high(descriptor):
    """The same file by a number that is not in the way of 3 and 4."""
    found = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 20)
    os.close(descriptor)
    return found


class Browser:
    def __init__(self, folder, width=1200, height=900):
        to_read, self._write = map(_high, os.pipe())
        self._read, to_write = map(_high, os.pipe())

        def give_pipe():
            os.dup2(to_read, 3)
            os.dup2(to_write, 4)

        self._process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-background-networking", "--no-first-run", f"--user-data-dir={folder}",
             f"--window-size={width},{height}", "--remote-debugging-pipe", "about:blank"],
            close_fds=False, preexec_fn=give_pipe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self._number, self._rest = 0, b""
        self.problems, self.requests = [], []
        target = self._ask("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._ask("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._ask(f"{domain}.enable", {})

    def _messages(self):
        while True:
            while b"\0" not in self._rest:
                piece = os.read(self._read, 1 << 16)
                if not piece:
                    raise RuntimeError("Chromium has ended")
                self._rest += piece
            message, self._rest = self._rest.split(b"\0", 1)
            yield json.loads(message)

    def _ask(self, method, parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if "_session" in self.__dict__:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        for reply in self._messages():
            if reply.get("id") == self._number:
                if "error" in reply:
                    raise RuntimeError(f"{method}: {reply['error']}")
                return reply["result"]
            self._note(reply)

    def _note(self, event):
        kind, about = event.get("method"), event.get("params", {})
        if kind == "Runtime.exceptionThrown":
            self.problems.append(about["exceptionDetails"].get("text", "") + str(
                about["exceptionDetails"].get("exception", {}).get("description", "")))
        elif kind == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.problems.append(str(about["args"]))
        elif kind == "Log.entryAdded" and about["entry"]["level"] == "error":
            self.problems.append(about["entry"]["text"])
        elif kind == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        elif kind == "Page.javascriptDialogOpening":
            message = {"id": 0, "method": "Page.handleJavaScriptDialog", "params": {"accept": True},
                       "sessionId": self._session}
            os.write(self._write, json.dumps(message).encode() + b"\0")

    def open(self, url):
        self._ask("Page.navigate", {"url": url})

    def value(self, expression):
        found = self._ask("Runtime.evaluate", {"expression": expression, "returnByValue": True,
                                               "awaitPromise": True})
        if "exceptionDetails" in found:
            raise RuntimeError(str(found["exceptionDetails"]))
        return found["result"].get("value")

    def wait_for(self, expression, seconds=60):
        """Until the expression is true; returns what it is."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                value = self.value(expression)
                if value:
                    return value
            except RuntimeError:
                pass
            time.sleep(0.2)
        raise SystemExit(f"browser.py: the page never has: {expression}")

    def look(self, name, width=1200, height=900, dark=False):
        """A picture in the folder PLIMSOLL_SCREENSHOTS, if there is one."""
        folder = os.environ.get("PLIMSOLL_SCREENSHOTS")
        if not folder:
            return
        self._ask("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
        self._ask("Emulation.setEmulatedMedia",
                  {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        time.sleep(0.5)
        data = self._ask("Page.captureScreenshot", {"format": "png"})["data"]
        with open(os.path.join(folder, name + ".png"), "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self._process.terminate()
        self._process.wait()
