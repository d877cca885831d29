"""Checks certificates, by core/src/proof/README.md alone: python3 check_proof.py PROBLEM.csv PROOF... prints for each the bytes within which there is no
plan, or that it does not hold."""
import csv
import re
import sys
from math import gcd

INFINITE = 1 << 62
SMALL_PILE, MOST_TRIES = 10, 1 << 22


class Wrong(Exception):
    pass


def need(holds, what):
    if not holds:
        raise Wrong(what)


def steps_into(step, modulus, low, width):
    """The least number of steps that ends, modulo `modulus`, in low .. low + width, which is less than the modulus; None: there is none."""
    if low == 0:
        return 0
    if step == 0:
        return None
    if step > modulus // 2:
        return steps_into(modulus - step, modulus, modulus - low - width, width)
    count = -(-low // step)
    if count * step <= low + width:
        return count
    rounds = steps_into(-modulus % step, step, low % step, width)
    return None if rounds is None else -(-(low + rounds * modulus) // step)


class Buffer:
    def __init__(self, row):
        self.size = int(row["size"])
        self.alignment = int(row.get("alignment") or 1)
        self.bank = int(row.get("bank") or 0)
        self.fixed = int(row["offset"]) if row.get("offset") else None
        self.times = [(int(row["lower"]), int(row["upper"]))]
        for gap in (row.get("gaps") or "").split():
            need("@" not in gap, "gaps with windows")
            low, high = map(int, re.fullmatch(r"(-?\d+)-(-?\d+)", gap).groups())
            self.times = [
                part
                for a, b in self.times
                for part in ((a, min(b, low)), (max(a, high), b))
                if part[0] < part[1]
            ]
        if self.size == 0:
            self.times = []

    def lives(self, time):
        return any(a <= time < b for a, b in self.times)

    def meets(self, other):
        return any(a < d and c < b for a, b in self.times for c, d in other.times)

    def suited(self, at):
        if self.fixed is not None:
            return self.fixed if at <= self.fixed else INFINITE
        at += -at % self.alignment
        if not self.bank or at % self.bank + self.size <= self.bank:
            return at
        steps = steps_into(self.alignment % self.bank, self.bank, -at % self.bank, self.bank - self.size)
        return INFINITE if steps is None else at + steps * self.alignment

    def ends_within(self, low, high):
        """Whether it can end above `low` and within `high`."""
        end = self.size + (self.fixed or 0)
        if self.fixed is None and end <= high:
            end += (high - end) // self.alignment * self.alignment
        return low < end <= high


class Plans:
    """Those that lemmas are about."""

    def __init__(self, words):
        self.within, self.rounding, self.limit = int(words[0]), 1, INFINITE
        words = words[1:]
        if words and words[0][0] == "/":
            self.rounding = int(words.pop(0)[1:])
        need(self.within >= 0 and self.rounding >= 1, "no such range")
        self.covered = self.within - self.within % self.rounding
        if words and words[0][0] == "<":
            self.limit = int(words.pop(0)[1:])
            need(0 <= self.limit <= self.covered, "a limit above the bytes")
            self.covered = self.limit
        need(not words, "no such range")


class Lemma:
    def __init__(self, words, plans):
        self.within, self.rounding, self.limit, self.covered = plans.within, plans.rounding, plans.limit, plans.covered
        pairs = 0
        while pairs < len(words) and words[pairs][0].isdigit():
            pairs += 1
        self.pairs = [tuple(map(int, word.split(":"))) for word in words[:pairs]]
        self.words = words[pairs:]


class Below:
    """Truths "a lies below b", by number; negative: the opposite. Equal ones are in one class."""

    def __init__(self):
        self.known, self.log = [None], []

    def new(self):
        self.known.append(None)
        return len(self.known) - 1

    def root(self, truth):
        while self.known[abs(truth)] is not None:
            truth = self.known[abs(truth)] * (1 if truth > 0 else -1)
        return truth

    def equal(self, one, other):
        one, other = self.root(one), self.root(other)
        if one == other:
            return True
        if one == -other:
            return False
        self.known[abs(one)] = other if one > 0 else -other
        self.log.append(abs(one))
        return True

    def back_to(self, mark):
        while len(self.log) > mark:
            self.known[self.log.pop()] = None


class Exchanges:
    """All ways from time to time; leaves are buffers, or (time, k) of idle units."""

    def __init__(self, sizes, alive):
        self.sizes, self.alive = sizes, alive
        self.below = Below()

    def size(self, leaf):
        return self.sizes.get(leaf, 1)

    def alike(self, at, a, b):
        def times(leaf):
            return [k for k, those in enumerate(self.alive) if leaf in those]

        if isinstance(a, tuple) or isinstance(b, tuple):
            return isinstance(a, tuple) and isinstance(b, tuple)
        there = times(a)
        one_piece = there == list(range(at + 1, at + 1 + len(there)))
        return one_piece and there == times(b) and self.size(a) == self.size(b)

    def groups(self, leaves):
        return [[leaf for k, leaf in enumerate(leaves) if bits >> k & 1] for bits in range(1, 1 << len(leaves))]

    def side_by_side(self, order, group):
        others = {leaf for pair in order for leaf in pair} - set(group)
        return all(self.below.equal(order[group[0], k], order[leaf, k]) for leaf in group[1:] for k in others)

    def exchanged(self, order, out, group):
        others = {leaf for pair in order for leaf in pair} - set(out)
        after = {(a, b): truth for (a, b), truth in order.items() if a in others and b in others}
        for leaf in group:
            for k in others:
                after[leaf, k], after[k, leaf] = order[out[0], k], order[k, out[0]]
        return self.unknown(after, group)

    def unknown(self, order, leaves):
        for k, a in enumerate(leaves):
            for b in leaves[:k]:
                order[a, b] = self.below.new()
                order[b, a] = -order[a, b]
        return order

    def ways(self, at, order, ends, begins):
        """Whether some way is left."""
        if not ends:
            if at + 2 == len(self.alive):
                return True
            return self.boundary(at + 1, order)
        for out in self.groups(ends):
            if out[0] != ends[0]:
                continue
            mark = len(self.below.log)
            if self.side_by_side(order, out):
                total = sum(map(self.size, out))
                for group in self.groups(begins):
                    if sum(map(self.size, group)) != total or self.skips(at, begins, group):
                        continue
                    inner, rest = len(self.below.log), [k for k in ends if k not in out]
                    if self.ways(at, self.exchanged(order, out, group), rest, [k for k in begins if k not in group]):
                        return True
                    self.below.back_to(inner)
            self.below.back_to(mark)
        return False

    def skips(self, at, begins, group):
        return any(
            self.alike(at, other, leaf)
            for leaf in group
            for other in begins[: begins.index(leaf)]
            if other not in group
        )

    def boundary(self, at, order):
        here, there = self.alive[at], self.alive[at + 1]
        ends, begins = [k for k in here if k not in there], [k for k in there if k not in here]
        need(0 < len(ends) <= 10 and 0 < len(begins) <= 10, "too many ways")
        return self.ways(at, order, ends, begins)

    def some(self):
        return self.boundary(0, self.unknown({}, self.alive[0]))


class Case:
    """The set as a case has it: least offsets by buffer."""

    def __init__(self, check, lemma, least):
        self.check, self.lemma, self.now = check, lemma, dict(least)
        self.placed = self.floor = self.waste = self.time = None
        self.done = set()

    def size(self, b):
        size = self.check.buffers[b].size
        return size + -size % self.lemma.rounding

    def alive(self, time):
        return [b for b in self.now if self.check.buffers[b].lives(time)]

    def too_high(self, b, at):
        return at + self.size(b) > self.lemma.within or at + self.check.buffers[b].size > self.lemma.limit

    def rise(self, b, to):
        if to > self.now[b]:
            self.now[b] = self.check.buffers[b].suited(to)

    def top(self, b):
        return self.now[b] + self.size(b)

    def same_life(self, a, b):
        buffers = self.check.buffers
        return buffers[a].meets(buffers[b]) and all(
            buffers[a].meets(buffers[k]) == buffers[b].meets(buffers[k]) for k in self.now if k not in (a, b)
        )

    def aligned(self):
        """Whether each place suits each of the set."""
        unit = gcd(*(self.size(b) for b in self.start), *self.start.values())
        return all(not spec.bank and unit % spec.alignment == 0 for spec in (self.check.buffers[b] for b in self.start))

    def not_first(self, time, b):
        those = self.alive(time)
        need(b in those, "not there")
        total = sum(map(self.size, those))
        need(self.now[b] + total > self.lemma.within, "may be first")
        tops = [self.top(k) for k in those if k != b and self.now[k] + total <= self.lemma.within]
        self.rise(b, min(tops, default=INFINITE))

    def sums(self, time, b):
        those = self.alive(time)
        need(b in those, "not there")
        floor = min(self.now[k] for k in those)
        idle = self.lemma.within - floor - sum(map(self.size, those))
        if idle < 0:
            self.rise(b, INFINITE)
            return
        # heights are ranges: what is idle may be anywhere up to all of it
        heights = {(0, idle)}
        for k in sorted((k for k in those if k != b), key=lambda k: self.now[k]):
            least = self.now[k] - floor
            heights |= {(max(a, least) + self.size(k), z + self.size(k)) for a, z in heights if z >= least}
        wanted = self.now[b] - floor
        self.rise(b, min((floor + max(a, wanted) for a, z in heights if z >= wanted), default=INFINITE))

    def off(self, b):
        c, buffers = self.placed, self.check.buffers
        need(self.lemma.limit == INFINITE, "a limit")
        need(c is not None and b in self.now and b in self.done and self.same_life(b, c), "cannot be swapped")
        for one, other in ((b, c), (c, b)):
            spec = buffers[one]
            need(not spec.bank and spec.fixed is None, "cannot be swapped")
            need((self.floor + self.size(other)) % spec.alignment == 0, "cannot be swapped")
        self.rise(b, min((self.top(k) for k in self.now if k != b and buffers[k].meets(buffers[b])), default=INFINITE))

    def exchange(self, unit, times):
        need(unit > 0 and len(times) > 1, "no times")
        capacity = self.lemma.within // unit
        for b in self.now:
            spec = self.check.buffers[b]
            need(self.size(b) % unit == spec.bank % unit == spec.suited(0) % unit == 0, "no whole units")
            need(spec.alignment % unit == 0 or unit % spec.alignment == 0, "no whole units")
        sizes, alive = {b: self.size(b) // unit for b in self.now}, []
        for k, time in enumerate(times):
            those = self.alive(time)
            idle = capacity - sum(sizes[b] for b in those)
            need(0 <= idle <= 3 and len(those) <= 256, "too much is idle")
            alive.append(those + [(k, n) for n in range(idle)])
        need(not Exchanges(sizes, alive).some(), "there is a way")

    def pile_end(self, time, low=None, below=0):
        """The least end of a pile of those alive, in which buffer `low` lies below `below`."""
        those = self.alive(time)
        need(len(those) <= 16, "no pile")
        tries = len(those) << len(those)
        self.check.tries += tries if len(those) > SMALL_PILE else tries >> 10
        need(self.check.tries <= MOST_TRIES, "too many piles")
        ends = [0] + [INFINITE] * ((1 << len(those)) - 1)
        for pile, end in enumerate(ends):
            if end > self.lemma.within:
                continue
            for k, b in enumerate(those):
                at = self.check.buffers[b].suited(max(end, self.now[b]))
                if not pile >> k & 1 and (b != low or at < below) and not self.too_high(b, at):
                    top = pile | 1 << k
                    ends[top] = min(ends[top], at + self.size(b))
        return ends[-1]

    def piled(self, time, b, to):
        need(b in self.alive(time), "not there")
        need(self.pile_end(time, b, to) > self.lemma.within, "it lies lower in some pile")
        self.rise(b, to)

    def end(self, mark, number, first):
        buffers = self.check.buffers
        if mark == "!":
            those = self.alive(number)
            need(those, "nobody is there")
            height = min(self.now[k] for k in those) + sum(map(self.size, those))
            added = max(self.size(k) - buffers[k].size for k in those)
            need(height > self.lemma.within or height - added > self.lemma.limit, "all fits")
        elif mark == "p":
            need(self.alive(number), "no pile")
            need(self.pile_end(number) > self.lemma.within, "the pile fits")
        elif mark == "#":
            need(number in self.now and self.too_high(number, self.now[number]), "it fits")
        elif mark == "L":
            known = self.check.lemmas[number - 1]
            need(known is not self.lemma and self.check.holds(number), "a lemma that does not hold")
            need(known.within >= self.lemma.within and known.rounding == self.lemma.rounding, "another capacity")
            need(known.limit >= self.lemma.limit, "another limit")
            need(all(b in self.now and self.now[b] >= o for b, o in known.pairs), "a lemma of others")
        elif mark == "=":
            need(first and self.placed is not None and number in self.now and number in self.done, "no such case")
            one, other = buffers[number], buffers[self.placed]
            need(one.bank == other.bank and one.fixed == other.fixed, "not alike")
            rounds = self.lemma.limit == INFINITE and self.size(number) == self.size(self.placed)
            need(one.size == other.size or rounds, "not alike")
            need(one.alignment == other.alignment or self.aligned(), "not alike")
            need(self.same_life(number, self.placed), "not alike")
        elif mark == "b":
            need(first and self.waste is not None and number in self.done, "no such case")
            top = self.floor + self.size(number)
            need(self.waste >= top, "no room to drop")
            for k in self.now:
                if not buffers[k].lives(self.time) and buffers[k].meets(buffers[number]):
                    need(self.start[k] >= top, "no room to drop")
        else:
            raise Wrong("no step and no end: " + mark)

    def follow(self, words):
        """Takes the steps and the end; gives back the words after them."""
        first = True
        while True:
            need(words, "no end")
            mark, rest = words[0][0], words[0][1:]
            words = words[1:]
            if mark in "fs":
                time, b = map(int, rest.split(":"))
                (self.not_first if mark == "f" else self.sums)(time, b)
            elif mark == "r":
                self.piled(*map(int, rest.split(":")))
            elif mark == "o":
                self.off(int(rest))
            elif mark == "x":
                unit, *times = map(int, rest.split(":"))
                self.exchange(unit, times)
                return words
            else:
                self.end(mark, int(rest), first)
                return words
            first = False


class Check:
    def __init__(self, problem, proof):
        with open(problem, newline="") as file:
            self.buffers = [Buffer(row) for row in csv.DictReader(file)]
        self.lemmas, self.claims, self.known, self.tries = [], [], set(), 0
        with open(proof) as file:
            lines = [line.split() for line in file]
        need(lines[:2] == [["arenascope-proof", "1"], ["buffers", str(len(self.buffers))]], "no certificate of this")
        plans = None
        for words in lines[2:]:
            if words[0] == "within":
                plans = Plans(words[1:])
            elif words[0] == "lemma":
                need(int(words[1]) == len(self.lemmas) + 1, "not the next lemma")
                self.lemmas.append(Lemma(words[2:], plans))
            else:
                need(words[0] == "none" and words[2][0] == "L" and len(words) == 3, "no such line")
                self.claims.append((int(words[1]), int(words[2][1:])))

    def holds(self, number):
        return number in self.known

    def question(self, lemma, least):
        time, words = int(lemma.words[0][1:]), lemma.words[1:]
        there = [b for b in least if self.buffers[b].lives(time)]
        floor = min(least[b] for b in there)
        candidates = {b for b in there if least[b] == floor}
        done, nobody = set(), False
        while words:
            mark, rest = words[0][0], words[0][1:]
            case = Case(self, lemma, least)
            case.floor, case.time, case.done, case.start = floor, time, done, least
            words = words[1:]
            if mark == "-":
                outside = [b for b in least if b not in there]
                case.waste = min(
                    [least[b] for b in there if least[b] > floor]
                    + [
                        case.top(b)
                        for b in outside
                        if any(self.buffers[b].meets(self.buffers[c]) for c in candidates)
                    ],
                    default=INFINITE,
                )
                for b in candidates:
                    case.rise(b, case.waste)
                words, nobody = case.follow(words), True
                continue
            need(mark == "+", "no case")
            b = int(rest)
            if b not in candidates:
                while words and words[0][0] not in "+-":
                    words = words[1:]
                continue
            above = case.top(b)
            for k in least:
                if k != b and self.buffers[k].meets(self.buffers[b]):
                    need(case.top(k) > floor, "fits below")
                    case.rise(k, above)
            del case.now[b]
            case.placed = b
            words = case.follow(words)
            done.add(b)
        need(nobody and candidates <= done, "a case is missing")

    def verify(self, number):
        lemma = self.lemmas[number - 1]
        need(len({b for b, _ in lemma.pairs}) == len(lemma.pairs), "named twice")
        for b, _ in lemma.pairs:
            spec = self.buffers[b]
            need(spec.bank % lemma.rounding == spec.alignment % lemma.rounding == 0, "rounded")
        least = {b: self.buffers[b].suited(o) for b, o in lemma.pairs}
        if lemma.words and lemma.words[0][0] == "@":
            self.question(lemma, least)
        else:
            need(Case(self, lemma, least).follow(lemma.words) == [], "more than an end")
        self.known.add(number)

    def run(self):
        wanted = set()
        for bytes_, number in self.claims:
            lemma = self.lemmas[number - 1]
            between = (self.buffers[b].ends_within(lemma.covered, bytes_) for b, _ in lemma.pairs)
            need(not any(between), "another capacity")
            need(all(o <= self.buffers[b].suited(0) for b, o in lemma.pairs), "begins above its buffers")
            wanted.add(number)
        for number in range(len(self.lemmas), 0, -1):
            if number in wanted:
                wanted |= {int(w[1:]) for w in self.lemmas[number - 1].words if w[0] == "L"}
        for number in sorted(wanted):
            self.verify(number)
        return max((bytes_ for bytes_, _ in self.claims), default=-1)


def judge(problem, proof):
    try:
        return Check(problem, proof).run()
    except (Wrong, ValueError, IndexError, KeyError) as wrong:
        return f"does not hold: {wrong}"


if __name__ == "__main__":
    answers = [judge(sys.argv[1], proof) for proof in sys.argv[2:]]
    print(*answers, sep="\n")
    sys.exit(any(isinstance(answer, str) for answer in answers))
