#!/usr/bin/env python3
"""A second reading of reclaim's arithmetic, to hold the engine's against.

Written from the rules as they are stated for each era, sharing no code with
the engine.  Reads lines "KIND INPUTS = RESULTS" of whole numbers from
standard input, works each out again, and ends with status 1 at the first
disagreement, which it prints in full.  The last line tells how many lines of
each kind agreed.

    oracle.py < table
"""
import collections
import math
import sys

CLUSTER = 32
GIB_PAGES = 1 << 18


def share(anon, file, scanned_anon, scanned_file, rotated_anon, rotated_file, swappiness):
    """Weights of anon and file to v3.3; statistics above a quarter of the pages are halved."""
    if scanned_anon > anon // 4:
        scanned_anon, rotated_anon = scanned_anon // 2, rotated_anon // 2
    if scanned_file > file // 4:
        scanned_file, rotated_file = scanned_file // 2, rotated_file // 2
    ap = (swappiness + 1) * (scanned_anon + 1) // (rotated_anon + 1)
    fp = (200 - swappiness + 1) * (scanned_file + 1) // (rotated_file + 1)
    percent = 100 * ap // (ap + fp + 1)
    return (ap, fp, percent, 100 - percent,
            scanned_anon, scanned_file, rotated_anon, rotated_file)


def save_up(saved, target):
    """Small targets are saved until they are a cluster, then released whole."""
    saved += target
    return (saved, 0) if saved >= CLUSTER else (0, saved)


def batch(saved, target):
    return save_up(saved, target)


def ratio(pages):
    gib = pages >> 18
    return (math.isqrt(10 * gib) if gib else 1,)


def low(inactive, active):
    """Whether an inactive list is low: anon in all eras, file to v3.3, file in v6.18."""
    anon = inactive * ratio(inactive + active)[0] < active
    return int(anon), int(active > inactive), int(anon)


def min_free_kbytes(lowmem_kib, scaled):
    return (min(max(math.isqrt(16 * lowmem_kib), 128), 262144 if scaled else 65536),)


def marks(dma, dma32, normal, scaled, huge):
    """min, low and high of three zones, then the reserves of the lower two."""
    present = (dma, dma32, normal)
    lowmem = sum(present)
    kib = min_free_kbytes(lowmem * 4, scaled)[0]
    if huge:
        kib = max(kib, 4 * min(11 * 512 * 3, lowmem * 5 // 100))
    out = []
    for pages in present:
        least = (kib >> 2) * pages // lowmem
        if scaled:
            step = max(least >> 2, pages * 10 // 10000)
            out += [least, least + step, least + 2 * step]
        else:
            out += [least, least + (least >> 2), least + (least >> 1)]
    return tuple(out + [dma32 // 256, (dma32 + normal) // 256, normal // 256])


def zone_ok(free, mark, reserve, quirk):
    return (int(free - (2 if quirk else 0) > mark + reserve),)


def effective(usage, parent_usage, setting, parent_effective, siblings, recursive):
    """What a child has of its parent's protection."""
    claim = min(usage, setting)
    if siblings > parent_effective:
        return (claim * parent_effective // siblings,)
    if recursive and usage > claim and parent_usage > siblings:
        claim += (parent_effective - siblings) * (usage - claim) // (parent_usage - siblings)
    return (claim,)


def protected(size, usage, least, low_, ignore_low):
    """The part of a list that min and low leave to be scanned."""
    if not least and not low_:
        return (size,)
    shield = low_ if low_ > least and not ignore_low else least
    return (max(32, size - size * shield // (max(usage, shield) + 1)),)


def delay(usage, high, debt, hz):
    """Ticks of penalty above memory.high."""
    over = ((usage - high) << 20) // high if usage > high else 0
    return (min(((over * over * hz) >> 34) * debt // 64, 2 * hz),)


def weights(anon_cost, file_cost, swappiness):
    """Weights of anon and file by cost (v6.18)."""
    total = anon_cost + file_cost
    anon, file = total + anon_cost, total + file_cost
    both = anon + file
    return swappiness * (both + 1) // (anon + 1), (200 - swappiness) * (both + 1) // (file + 1)


def cost(anon_cost, file_cost, file_type, n, pages):
    """A cost is noted; both are halved when they exceed a quarter of the pages."""
    costs = [anon_cost, file_cost]
    costs[file_type] += n
    if sum(costs) > pages // 4:
        costs = [costs[0] // 2, costs[1] // 2]
    return tuple(costs)


def refault(ia, aa, if_, af, slots, distance, file_type):
    """Whether a page that returns was missed; the age that its group gains."""
    room = af if file_type else af + if_
    if slots > 0:
        room += aa + (ia if file_type else 0)
    missed = int(distance <= room)
    return missed, missed


def rebalance(*numbers):
    """Enough was freed: targets asked and left of IA, AA, IF, AF; whether the pass goes on."""
    asked, left = numbers[:4], list(numbers[4:])
    anon, file = left[0] + left[1], left[2] + left[3]
    if not anon or not file:
        return (0, *left)
    small, large = (0, 2) if file > anon else (2, 0)
    percent = min(anon, file) * 100 // (asked[small] + asked[small + 1] + 1)
    left[small] = left[small + 1] = 0
    for i in large, large + 1:
        done = asked[i] - left[i]
        todo = asked[i] * (100 - percent) // 100
        left[i] = todo - min(todo, done)
    return (1, *left)


# An era's targets: how they are shared out, and when a target of zero is forced.
Era = collections.namedtuple("Era", "percent forced saves_limit saves_global force_kswapd")
ERAS = (
    Era(True, None, False, True, None),         # v2.6.31
    Era(True, None, True, True, None),          # v2.6.32
    Era(False, "after", False, False, "always"),    # v3.1
    Era(False, "before", False, False, "always"),   # v3.2
    Era(False, "before", False, False, "hopeless"),     # v3.3
)
STAT = collections.namedtuple("STAT", "scanned_anon scanned_file rotated_anon rotated_file")


def forces(era, from_all, kswapd, hopeless):
    if not from_all:
        return True
    return bool(kswapd and (era.force_kswapd == "always" or hopeless))


def target(era, size, factor, whole, forced, prio):
    """One list's target; @whole: swap is there, so the last priority takes it as it is."""
    over, under = factor
    if prio == 0 and whole:
        pages = size
    else:
        pages = size >> prio
        if era.forced == "before" and forced and not pages:
            pages = CLUSTER
        pages = pages * over // under
    if era.forced == "after" and forced and not pages:
        pages = CLUSTER * over // under
    return pages


def targets(number, from_all, kswapd, hopeless, slots, swappiness, free, high, prio, *rest):
    """All of a pass to v3.3: sizes, statistics, saved -> targets, statistics, saved."""
    sizes, stat, saved = rest[:4], STAT(*rest[4:8]), list(rest[8:12])
    era, file_pages = ERAS[number], sizes[2] + sizes[3]
    whole = slots > 0
    if not whole:
        factors = (0, 1), (1, 1)
    elif from_all and file_pages + free <= high:
        factors = (1, 1), (0, 1)
    else:
        ap, fp, anon, file, *after = share(sizes[0] + sizes[1], file_pages, *stat, swappiness)
        stat = STAT(*after)
        under = ap + fp + 1
        factors = ((anon, 100), (file, 100)) if era.percent else ((ap, under), (fp, under))
    forced = forces(era, from_all, kswapd, hopeless)
    out = [target(era, sizes[i], factors[i // 2], whole, forced, prio) for i in range(4)]
    if era.saves_global if from_all else era.saves_limit:
        for i in range(4):
            out[i], saved[i] = save_up(saved[i], out[i])
    return (*out, *stat, *saved)


Claim = collections.namedtuple("Claim", "usage least low")


def shield(parent, child, sibling, nested, which):
    """Effective min or low of a child, whose parent is the target or is below it."""
    own = getattr(child, which)
    if not child.usage:
        return 0
    if not nested:
        return own
    siblings = sum(min(c.usage, getattr(c, which)) for c in (child, sibling))
    above = getattr(parent, which) if parent.usage else 0
    return effective(child.usage, parent.usage, own, above, siblings, 1)[0]


def targets_node(from_all, slots, swappiness, prio, may_anon, may_file, *rest):
    """All of a pass of v6.18 over one group below its target."""
    anon_cost, file_cost, free, high, target_ia, target_if, target_af = rest[:7]
    sizes, nested, ignore_low = rest[7:11], rest[11], rest[12]
    claims = [Claim(*rest[i:i + 3]) for i in (13, 16, 19)]
    factor = {"anon": ((1, 1), (0, 1)), "file": ((0, 1), (1, 1)), "equal": ((1, 1), (1, 1))}
    if not slots or (not from_all and not swappiness):
        mode = "file"
    elif prio == 0 and swappiness:
        mode = "equal"
    elif from_all and target_if + target_af + free <= high and not may_anon and target_ia >> prio:
        mode = "anon"
    elif target_if >> prio and not may_file:
        mode = "file"
    else:
        mode = "fraction"
        ap, fp = weights(anon_cost, file_cost, swappiness)
        factor["fraction"] = (ap, ap + fp), (fp, ap + fp)
    least, low_ = (shield(*claims, nested, which) for which in ("least", "low"))
    out = []
    for i in range(4):
        over, under = factor[mode][i // 2]
        size = protected(sizes[i], claims[1].usage, least, low_, ignore_low)[0]
        out.append((size >> prio) * over // under)
    return tuple(out)


# What the starred inputs are called.
LISTS = "IA AA IF AF".split()
REST = {
    "rebalance": ["asked " + name for name in LISTS] + ["left " + name for name in LISTS],
    "targets": LISTS + list(STAT._fields) + ["saved " + name for name in LISTS],
    "targets_node": "anon_cost file_cost free high target_IA target_IF target_AF".split() +
                    LISTS + ["nested", "ignore_low"] +
                    ["%s %s" % (who, what) for who in ("parent", "child", "sibling")
                     for what in ("usage", "min", "low")],
}
KINDS = {function.__name__: function for function in (
    share, batch, ratio, low, min_free_kbytes, marks, zone_ok, effective, protected, delay,
    weights, cost, refault, rebalance, targets, targets_node)}


def disagreement(number, kind, inputs, engine, oracle):
    function = KINDS[kind]
    names = function.__code__.co_varnames[:function.__code__.co_argcount]
    names += tuple(REST.get(kind, ()))
    return "line %d: %s: %s\n  inputs: %s\n  engine: %s\n  oracle: %s" % (
        number, kind, (function.__doc__ or "").split("\n")[0],
        ", ".join("%s %d" % pair for pair in zip(names, inputs)),
        " ".join(map(str, engine)), " ".join(map(str, oracle)))


def main():
    agreed = collections.Counter()
    for number, line in enumerate(sys.stdin, 1):
        left, _, right = line.partition(" = ")
        kind, *inputs = left.split()
        inputs, engine = [int(n) for n in inputs], tuple(int(n) for n in right.split())
        oracle = KINDS[kind](*inputs)
        if oracle != engine:
            print(disagreement(number, kind, inputs, engine, oracle))
            return 1
        agreed[kind] += 1
    missing = sorted(set(KINDS) - set(agreed))
    print("%d agree: %s" % (sum(agreed.values()),
                            ", ".join("%s %d" % pair for pair in sorted(agreed.items()))))
    if missing:
        print("never asked: " + ", ".join(missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
