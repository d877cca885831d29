#!/usr/bin/env python3
"""The table of core/src/solve/telamalloc/LEARNED.md from what `arenascope-learn judge` prints: python3 table.py ROWS.csv...

Of a configuration that has more than 1,000 backtracks by the rules (the paper's line): newly solved, solved by the rules and lost, and of
those that both solve who needs fewer backtracks, or more, and who a tenth, or ten times as many. The last line is the law by which a model
may be offered: half as many again newly solved as the mean of the seeds by lot, and none lost.
"""

import collections
import csv
import pathlib
import sys

HARD = 1000
FIELDS = ['solved', 'newly', 'lost', 'fewer', 'tenth', 'more', 'ten times']


def tally(rules, runs):
    count = collections.Counter()
    for key, (solved, backtracks) in runs.items():
        before, hard = rules[key], rules[key][1] > HARD
        count['solved'] += solved
        count['newly'] += solved and not before[0] and hard
        count['lost'] += before[0] and not solved
        if solved and before[0] and hard:
            count['fewer'] += backtracks < before[1]
            count['tenth'] += 10 * backtracks <= before[1]
            count['more'] += backtracks > before[1]
            count['ten times'] += backtracks >= 10 * before[1]
    return count


def main():
    runs = collections.defaultdict(dict)
    for path in sys.argv[1:]:
        for row in csv.DictReader(pathlib.Path(path).read_text().splitlines()):
            key = path, row['instance'], row['percent']
            runs[row['jump'], int(row['seed'])][key] = row['solved'] == '1', int(row['backtracks'])
    if not runs:
        raise SystemExit('no configuration is work for the rules')
    rules = runs['conflict', 0]
    # every run of a configuration, or none: the last one may have been cut off
    whole = set.intersection(*(set(of) for of in runs.values()))
    rules = {key: rules[key] for key in whole}
    hard = sum(backtracks > HARD for _, backtracks in rules.values())
    print(f'{len(rules)} configurations, {hard} with more than {HARD:,} backtracks by the rules, '
          f'{sum(solved for solved, _ in rules.values())} solved by them')
    print(f'{"":16}' + ''.join(f'{field:>10}' for field in FIELDS))
    newly, lost = collections.defaultdict(list), collections.Counter()
    for (jump, seed), of in sorted(runs.items()):
        count = tally(rules, {key: of[key] for key in whole})
        newly[jump].append(count['newly'])
        lost[jump] += count['lost']
        print(f'{jump + " " + str(seed):16}' + ''.join(f'{count[field]:>10}' for field in FIELDS))
    mean = {jump: sum(of) / len(of) for jump, of in newly.items()}
    print(f'newly solved, mean: by lot {mean["random"]:.1f}, learned {mean["learned"]:.1f}; lost in all: {lost["random"]}, {lost["learned"]}')
    keeps = mean['learned'] >= 1.5 * mean['random'] and not lost['learned']
    print('the law holds' if keeps else 'the law does not hold')


if __name__ == '__main__':
    main()
