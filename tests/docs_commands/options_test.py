"""Every option of every command is named in the documents, and is in a command that a test of the documents runs,
unless it is named below; each command and option in the text of a document is one that there is. Usage: options_test.py PROGRAM ROOT"""

import pathlib
import re
import subprocess
import sys

program, root = sys.argv[1], pathlib.Path(sys.argv[2])
# What no command of the documents can have: it needs what is not there (Fashion-MNIST), or does nothing.
NOT_RUN = {"--help", "--data", "--samples"}
# Options of other programs that the texts speak of.
NOT_OURS = set()


def output_of(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def options_of(command):
    """The long names at the beginning of the lines of its help."""
    lines = re.findall(r"^  (-[^\n]*)", output_of(command, "--help"), re.MULTILINE)
    return {name for line in lines for name in re.findall(r"--[a-z][a-z-]+", re.split(r"  +", line)[0])}


def names(option, text):
    return re.search(re.escape(option) + r"(?![a-z-])", text) is not None


commands = [name for name in re.findall(r"^  ([a-z][a-z-]+)  ", output_of("help"), re.MULTILINE) if name != "help"]
documents = "".join(path.read_text() for path in [root / "README.md", *sorted(root.glob("docs/*.md"))])
run = "".join(re.findall(r"^```sh\n(.*?)^```", documents, re.MULTILINE | re.DOTALL))
complaints = []
for command in commands:
    for option in sorted(options_of(command)):
        if not names(option, documents):
            complaints.append(f"{command} {option} is in no document")
        elif option not in NOT_RUN and not names(option, run):
            complaints.append(f"{command} {option} is in no command of a ```sh block, so nothing runs it as a person would")
# What stands in the text itself is run by nothing, so that its commands and options are at least known.
known = {command: options_of(command) for command in commands}
anywhere = set().union(*known.values())
spans = 0
for path in [root / "README.md", *sorted(root.glob("docs/*.md"))]:
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    for span in re.findall(r"`([^`]+)`", text):
        words = span.split()
        if words[0] == "plimsoll" and len(words) > 1 and re.fullmatch(r"[a-z][a-z-]*", words[1]) and words[1] != "help":
            allowed, whose = known.get(words[1]), f"plimsoll {words[1]}"
        elif words[0].startswith("--") and words[0] not in NOT_OURS:
            allowed, whose = anywhere, "any command"
        else:
            continue
        spans += 1
        if allowed is None:
            complaints.append(f"{path.name}: `{span}`: there is no such command")
            continue
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", span):
            if option not in allowed | {"--version"}:
                complaints.append(f"{path.name}: `{span}`: {option} is no option of {whose}")
if spans < 100:
    complaints.append(f"the documents have {spans} commands and options in their texts, so this test looks at nothing")
if len(commands) < 15:
    complaints.append(f"plimsoll help lists {len(commands)} commands")
for complaint in complaints:
    print(complaint)
sys.exit(bool(complaints))
