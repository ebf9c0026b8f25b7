#!/usr/bin/env python3
"""How much wider than the range of the replays the stated range has to be (analyzer/findings/range.c).

Prints what docs/measurements/accuracy.md says of ranges: the constant from each of two sets of program pairs, and how many
savings of the other set lie in the ranges that it makes. The pairs are in intervals.csv: time of the broken run,
time in which the GPU was idle between its operations (of a trace, at most the run), what the fix saved untraced,
and what the report predicted, with the range of its replays. Not there: pairs without a prediction, and those
whose saving was within the spread of the runs.
"""
import csv
import math
import os
import statistics

SHARE_INSIDE = 0.9
MOST_SHARE = 0.5  # as in range.c


class Pair:
    def __init__(self, row):
        self.name = f"{row['set']} {row['program']}"
        self.is_new = row["set"] == "catalogue"
        (self.run, self.idle, self.saved, self.predicted, self.low,
         self.high) = (float(row[f"{key}_ms"]) for key in ("run", "idle", "saved", "predicted", "low", "high"))
        # The programs of the catalogue print whole milliseconds.
        self.rounding = 0.5 if self.is_new else 0

    def missed(self):
        """How far the saving lay outside, as a share of what the range is widened by."""
        outside = max(self.low - self.saved, self.saved - self.high, 0)
        if outside > MOST_SHARE * self.predicted:
            return math.inf
        return outside / max(self.predicted, self.idle)

    def stated(self, share):
        more = min(share * max(self.predicted, self.idle), MOST_SHARE * self.predicted)
        return max(0, self.low - more), max(self.high, min(self.high + more, self.run))

    def is_inside(self, share):
        low, high = self.stated(share)
        return low - self.rounding <= self.saved <= high + self.rounding

    def width(self, share):
        low, high = self.stated(share)
        return (high - low) / self.predicted


def share_of(pairs):
    """What nine of ten need; where fewer can be reached, what those need."""
    missed = sorted(pair.missed() for pair in pairs)
    nine_of_ten = missed[:math.ceil(SHARE_INSIDE * len(missed))]
    return max(share for share in nine_of_ten if share < math.inf)


def describe(name, pairs, share):
    inside = sum(pair.is_inside(share) for pair in pairs)
    width = statistics.median(pair.width(share) for pair in pairs)
    print(f"  {name}: {inside} of {len(pairs)} inside, median width {width:.2f} of the prediction")


def main():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "intervals.csv"), newline="") as file:
        pairs = [Pair(row) for row in csv.DictReader(file)]
    sets = {"older": [pair for pair in pairs if not pair.is_new], "catalogue": [pair for pair in pairs if pair.is_new]}
    shares = {"range of the replays": 0}
    shares.update((f"constant from {name}", share_of(sets[name])) for name in sets)
    for what, share in shares.items():
        print(f"{what}: {share:.3f}")
        for name in sets:
            describe(name, sets[name], share)
    print("outside in any case:", ", ".join(pair.name for pair in pairs if pair.missed() == math.inf))


if __name__ == "__main__":
    main()
