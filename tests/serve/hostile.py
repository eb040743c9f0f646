"""Sends a server of runs what no page sends: 1,000 requests, and clients that are slow or many.

    hostile.py ADDRESS PID

ADDRESS is what 'plimsoll serve' printed, PID its process. Beside the folder that is served is a file that holds
"treasure", and links in the folder lead to it. Every request must be refused (a status from 400 on, or a closed
connection), and no reply may have it. Ends with 1 and a sentence where one is not.
"""

import random
import socket
import sys
import time
import urllib.parse

address, process = sys.argv[1], int(sys.argv[2])
parts = urllib.parse.urlsplit(address)
host, port, token = parts.hostname, parts.port, parts.path.strip("/")
good = f"{host}:{port}"
random.seed(16)


def fail(sentence):
    raise SystemExit(f"hostile.py: {sentence}")


def raw(data, seconds=20):
    with socket.create_connection((host, port), timeout=seconds) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            found = b""
            while piece := connection.recv(1 << 16):
                found += piece
            return found
        except TimeoutError:
            fail(f"{data[:300]!r} is not answered")
        except OSError:  # the server has closed it
            return b""


def request(path, method="GET", headers=(), wanted_host=good):
    lines = [f"{method} {path} HTTP/1.1"]
    if wanted_host is not None:
        lines.append(f"Host: {wanted_host}")
    return ("\r\n".join([*lines, *headers]) + "\r\n\r\n").encode("latin-1")


def works():
    reply = raw(request(f"/{token}/api/runs"))
    return reply.startswith(b"HTTP/1.1 200") and b'"runs"' in reply


def encoded(text, how):
    if how == 0:
        return text
    once = "".join(f"%{ord(c):02x}" if c in "./\\" else c for c in text)
    return once if how == 1 else once.replace("%", "%25") if how == 2 else urllib.parse.quote(text, safe="")


OUTSIDE = ["../secret", "../../secret", "../outside/run", "/etc/passwd", "/proc/self/environ", "..", "...", "./../secret",
           "first/../../secret", "first/../first", "first/", "first//", "//first", "first/.", "first/./log.jsonl",
           "linked", "linked/run", "file-link", "first/log.jsonl", "first/run.json", "first/.lock", ".hidden", "", "\\..\\secret",
           "first\0", "a" * 2000, "\x1b[2J", "first/checkpoints", "fifo", "nowhere"]


def hostile_requests():
    """(what, bytes) of each."""
    while True:
        for name in OUTSIDE:
            for how in range(4):
                text = encoded(name, how)
                if text.strip() != text or any(c in text for c in "\0\x1b"):
                    text = urllib.parse.quote(text)
                yield "path", request(f"/{token}/{text}" if text not in ("", ".") else f"/{token}//")
                yield "name", request(f"/{token}/api/{random.choice(['run', 'events', 'report'])}?name={text}")
                yield "post", request(f"/{token}/api/{random.choice(['stop', 'checkpoint'])}?name={text}", "POST")
        wrong = "".join(random.choice("0123456789abcdef") for _ in range(32))
        for bad in (wrong, "", token[:-1], token + "0", token.upper() + "X", "%00" + token):
            yield "token", request(f"/{bad}/api/runs")
            yield "token", request(f"/{bad}/api/stop?name=first", "POST")
        for other in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"{good}.evil.example",
                      f"0.0.0.0:{port}", f"[::1]:{port}", "", None):
            yield "host", request(f"/{token}/api/runs", wanted_host=other)
        yield "host", request(f"/{token}/api/runs", headers=("Host: evil.example",))
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "CONNECT", "BREW", "get", "POST"):
            yield "method", request(f"/{token}/api/runs", method)
        yield "method", request(f"/{token}/api/stop?name=first")
        for origin in ("http://evil.example", "null", f"https://{good}", f"http://{good}.evil.example"):
            yield "origin", request(f"/{token}/api/stop?name=first", "POST", (f"Origin: {origin}",))
        yield "huge", request(f"/{token}/api/runs", headers=("X: " + "a" * random.choice([9000, 60000, 400000]),))
        yield "huge", request(f"/{token}/api/runs", headers=[f"X{i}: y" for i in range(random.choice([65, 500, 20000]))])
        yield "huge", request("/" + "a" * random.choice([9000, 100000]))
        for odd in ("Range: bytes=" + ",".join(["0-0"] * 2000), "Range: bytes=0-10", "Transfer-Encoding: chunked",
                    "Expect: 100-continue", "Content-Length: 1000000000000", "Content-Length: -1", "Upgrade: websocket",
                    "Content-Encoding: gzip", " folded: header", "no colon",
                    "X: y\nTransfer-Encoding: chunked", "X: y\nRange: bytes=0-10", "X: y\rRange: bytes=0-10", "X: \x01", "X: \t\x7f"):
            yield "odd", request(f"/{token}/api/runs", headers=(odd,))
        yield "noise", bytes(random.randrange(256) for _ in range(random.randrange(1, 3000)))
        yield "noise", b"\r\n\r\n"
        yield "noise", b"GET /" + token.encode()
        yield "noise", request(f"/{token}/api/runs").replace(b"\r\n\r\n", b"")


def send_hostile(count):
    kinds = {}
    for number, (kind, data) in enumerate(hostile_requests()):
        if number == count:
            break
        reply = raw(data)
        status = int(reply.split()[1]) if reply.startswith(b"HTTP/1.1 ") else 0
        if b"treasure" in reply or b"root:" in reply:
            fail(f"{kind}: {data[:300]!r} reads what is outside: {reply[:300]!r}")
        if status and status < 400:
            fail(f"{kind}: {data[:300]!r} is answered with {status}: {reply[:300]!r}")
        kinds[kind] = kinds.get(kind, 0) + 1
    return kinds


def number_in(name):
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))


def slow_clients(count):
    """Each sends a byte now and then; all are closed by the server."""
    connections = []
    for _ in range(count):
        connection = socket.create_connection((host, port), timeout=60)
        connection.setblocking(False)
        connections.append(connection)
    most_threads = 0
    end = time.monotonic() + 120
    while connections and time.monotonic() < end:
        most_threads = max(most_threads, number_in("Threads"))
        for connection in list(connections):
            try:
                connection.send(b"G")
                if connection.recv(100) == b"":
                    raise ConnectionResetError
            except BlockingIOError:
                continue
            except OSError:
                connection.close()
                connections.remove(connection)
        time.sleep(0.3)
    if connections:
        fail(f"{len(connections)} of {count} slow clients are still connected")
    return most_threads


def readers_that_do_not_read(count):
    """Pages that stay open are limited, also if what they are sent is not read."""
    statuses, connections = [], []
    for _ in range(count):
        connection = socket.create_connection((host, port), timeout=60)
        connection.sendall(request(f"/{token}/api/events?name=first"))
        statuses.append(int(connection.recv(12).split()[1]))
        connections.append(connection)
    for connection in connections:
        connection.close()
    if statuses.count(200) != 16 or statuses.count(503) != count - 16:
        fail(f"expected 16 open pages and the others refused, found {statuses}")


def wait_until_works():
    for _ in range(100):
        try:
            if works():
                return
        except OSError:
            pass
        time.sleep(0.3)
    fail("the server does not answer any more")


wait_until_works()
print(send_hostile(1000))
wait_until_works()
readers_that_do_not_read(40)
threads = slow_clients(200)
wait_until_works()
print(send_hostile(100))
wait_until_works()
if threads > 40:
    fail(f"the server had {threads} threads")
if number_in("VmHWM") > 200 * 1024:
    fail(f"the server took {number_in('VmHWM')} kB")
print(f"{threads} threads, {number_in('VmHWM')} kB at most")
