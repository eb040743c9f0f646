"""What was wrong and what the doctor said first, each cause with each."""
import collections


def matrix(rows):
    """Lines of a table: a row for each cause that was made, a column for each that was named."""
    counts = collections.Counter((row["wanted"], row["found"]) for row in rows if not row["is_harmless"])
    names = sorted({name for pair in counts for name in pair} - {"nothing"}) + ["nothing"]
    named = [name for name in names if any(counts[wanted, name] for wanted in names)]
    numbers = {name: number + 1 for number, name in enumerate(names)}
    lines = ["| made | " + " | ".join(str(numbers[name]) for name in named) + " |",
             "|---|" + "---|" * len(named)]
    for wanted in names:
        found = [counts[wanted, name] for name in named]
        if sum(found):
            lines.append(f"| {numbers[wanted]} {wanted} | " + " | ".join(str(it or "") for it in found) + " |")
    unmade = [name for name in named if not any(counts[name, other] for other in names)]
    if unmade:
        lines += ["", "Named, but not made: " + ", ".join(f"{numbers[name]} {name}" for name in unmade) + "."]
    return lines
