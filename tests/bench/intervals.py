#!/usr/bin/env python3
"""How far from the estimate the ends of a stated range have to be (analyzer/findings/range.c).

Prints what docs/measurements/accuracy.md says of ranges: the constant from the older program pairs and from the catalogue's,
and how many savings of each set lie in the ranges that it makes, and in those made as before, where it was added to
the range of the replays. The pairs are in intervals.csv: time of the broken run,
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
INFORMS = 3  # as in frameworks/score.py


class Pair:
    def __init__(self, row):
        self.name = f"{row['set']} {row['program']}"
        self.set = row["set"] if row["set"] in ("catalogue", "loops") else "older"
        (self.run, self.idle, self.saved, self.predicted, self.low,
         self.high) = (float(row[f"{key}_ms"]) for key in ("run", "idle", "saved", "predicted", "low", "high"))
        # The programs of the catalogue print whole milliseconds.
        self.rounding = 0.5 if self.set == "catalogue" else 0

    def missed(self, is_added):
        """How far the saving was from the estimate, or outside the range of the replays, as a share of what counts."""
        outside = max(self.low - self.saved, self.saved - self.high, 0)
        missed = outside if is_added or not outside else abs(self.saved - self.predicted)
        return math.inf if missed > MOST_SHARE * self.predicted else missed / max(self.predicted, self.idle)

    def stated(self, share, is_added):
        off = min(share * max(self.predicted, self.idle), MOST_SHARE * self.predicted)
        if is_added:
            return max(0, self.low - off), max(self.high, min(self.high + off, self.run))
        return min(self.low, self.predicted - off), max(self.high, min(self.predicted + off, self.run))

    def is_inside(self, share, is_added):
        low, high = self.stated(share, is_added)
        return low - self.rounding <= self.saved <= high + self.rounding

    def width(self, share, is_added):
        low, high = self.stated(share, is_added)
        return (high - low) / self.predicted

    def informs(self, share, is_added):
        low, high = self.stated(share, is_added)
        return self.is_inside(share, is_added) and high <= INFORMS * low


def share_of(pairs, is_added):
    """What nine of ten need; where fewer can be reached, what those need."""
    missed = sorted(pair.missed(is_added) for pair in pairs)
    nine_of_ten = missed[:math.ceil(SHARE_INSIDE * len(missed))]
    return max(share for share in nine_of_ten if share < math.inf)


def describe(name, pairs, share, is_added):
    inside = sum(pair.is_inside(share, is_added) for pair in pairs)
    informs = sum(pair.informs(share, is_added) for pair in pairs)
    width = statistics.median(pair.width(share, is_added) for pair in pairs)
    print(f"  {name}: {inside} of {len(pairs)} inside, {informs} of them in at most x{INFORMS}, "
          f"median width {width:.2f} of the prediction")


def main():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "intervals.csv"), newline="") as file:
        pairs = [Pair(row) for row in csv.DictReader(file)]
    sets = {name: [pair for pair in pairs if pair.set == name] for name in ("older", "catalogue", "loops")}
    ways = [("range of the replays", 0, True)]
    for how, is_added in (("at least so far from the estimate", False), ("added to the range of the replays", True)):
        ways += [(f"{how}, from {name}", share_of(sets[name], is_added), is_added) for name in ("older", "catalogue")]
    for what, share, is_added in ways:
        print(f"{what}: {share:.3f}")
        for name, members in sets.items():
            describe(name, members, share, is_added)
    print("outside in any case:", ", ".join(pair.name for pair in pairs if pair.missed(False) == math.inf))


if __name__ == "__main__":
    main()
