"""Every kind of data is the DATA of a command that a test of the documents runs. Usage: kinds_test.py ROOT"""

import pathlib
import re
import shlex
import sys

root = pathlib.Path(sys.argv[1])
# What the documents call data of each kind. A new kind gets a line here and a command in a document.
DATA = {
    "csv": r"(?<!labels)\.csv",
    "hdf5": r"data\.h5",
    "idx": r"images-idx\d-ubyte,.*labels-idx\d-ubyte",
    "image_files": r"photo\.(png|jpg)",
    "image_table": r"labels\.csv",
    "images": r"^photos",
    "jsonl": r"\.jsonl",
    "masks": r"^cells",
    "npy": r"^[^,]+\.npy",
    "npy_pair": r"\.npy,.*\.npy",
    "npz": r"\.npz",
    "tar": r"\.tar",
    "text_folder": r"^reviews",
    "tfrecord": r"\.tfrecord",
    "zip_images": r"\.zip",
}
# Commands, and the place of DATA after their name.
PLACES = {"train": 1, "evaluate": 1, "predict": 1, "check": 0}

kinds = set()
for path in root.glob("plimsoll/data/kinds/*_kind.cc"):
    kinds |= set(re.findall(r'DataKind \w+\{\s*\.name = "(\w+)"', path.read_text()))
documents = "".join(path.read_text() for path in [root / "README.md", *sorted(root.glob("docs/*.md"))])
used = set()
for block in re.findall(r"^```sh\n(.*?)^```", documents, re.MULTILINE | re.DOTALL):
    for line in block.splitlines():
        words = shlex.split(line, comments=True)
        if len(words) > 2 and words[0] == "plimsoll" and words[1] in PLACES:
            used.add((words[2:] + [""])[PLACES[words[1]]])
complaints = [f"{kind} has no line in {__file__}" for kind in sorted(kinds - set(DATA))]
complaints += [f"{kind} is no kind of data" for kind in sorted(set(DATA) - kinds)]
for kind, pattern in DATA.items():
    if not any(re.search(pattern + "$", data) for data in used):
        complaints.append(f"no command of a ```sh block has data of the kind {kind} (like {pattern})")
if len(kinds) < 15:
    complaints.append(f"only {len(kinds)} kinds were found")
for complaint in complaints:
    print(complaint)
sys.exit(bool(complaints))
