"""Are the bad records of a report exactly those that were broken? same_bad.py REPORT BROKEN

REPORT is `plimsoll check --json`, BROKEN what tests/support/broken_images.py printed.
"""

import json
import sys

with open(sys.argv[1]) as report, open(sys.argv[2]) as broken:
    found = [(entry["path"], entry["reason"]) for entry in json.load(report)["bad"]]
    expected = [(entry["path"], entry["reason"]) for entry in json.load(broken)["broken"]]
for entry in sorted(set(found) ^ set(expected)):
    print("only reported:" if entry in found else "not reported:", *entry)
sys.exit(found != expected)
