#!/usr/bin/env python3
"""Trains the model of learned backtracking and writes it as integer tables.

  python3 train.py ROWS.csv... [--model=FILE.c] [--pairs=FILE.inc] [--trees=N] [--depth=N] [--label=good|score] [--features=ours|papers] [--seed=N]

ROWS are what `arenascope-learn collect` prints. Gradient-boosted trees by Yggdrasil Decision Forests, as in TelaMalloc, section 6. Printed
are, over five folds by instance (never by row: rows of one instance know each other), the error, how often the candidate that a jump would
take is a good one beside the deepest and a uniformly random one, and how much the error grows when a feature is shuffled (figure 17).
Without --model nothing is written. The same rows, numbers and seed give the same file.
"""

import argparse
import hashlib
import math
import pathlib

import numpy as np
import ydf

SCALE = 64  # of scores in the tables: 10 is 640
LEAF = 255
FOLDS = 5
PAIRS = 200
PAPERS = ['size', 'lifetime', 'contention', 'level', 'times blamed', 'returns', 'backtracks below', 'same region', 'backtracks']
OURS = [
    'times blamed', 'returns', 'same phase', 'distance', 'in conflict', 'rank', 'untried', 'level / n', 'level / depth',
    'stuck', 'contention', 'deeper in conflict', 'deeper / conflict',
]


class Rows:
    def __init__(self, paths, label, features):
        lines, self.digest = [], hashlib.sha256()
        for path in paths:
            text = pathlib.Path(path).read_bytes()
            self.digest.update(text)
            head, *body = text.decode().splitlines()
            lines += [line.split(',') for line in body]
        names = head.split(',')
        at = {name: k for k, name in enumerate(names)}
        number = lambda name: np.array([float(line[at[name]]) for line in lines], np.float32)
        letter, self.titles = ('f', OURS) if features == 'ours' else ('p', PAPERS)
        self.names = [f'{letter}{k}' for k in range(len(self.titles))]
        self.columns = {name: number(name) for name in self.names}
        self.good = number('good') > 0
        self.label = 10 * number('good') if label == 'good' else number('score')
        self.level, self.depth = number('level'), number('depth')
        self.instance = np.array([line[at['instance']] for line in lines])
        events = [tuple(line[at[name]] for name in ('instance', 'percent', 'event')) for line in lines]
        order = {key: k for k, key in enumerate(dict.fromkeys(events))}
        self.event = np.array([order[key] for key in events])

    def data(self, mask, label=True):
        columns = {name: values[mask] for name, values in self.columns.items()}
        return {**columns, 'label': self.label[mask]} if label else columns


def learner(rows, given):
    return ydf.GradientBoostedTreesLearner(
        label='label', task=ydf.Task.REGRESSION, num_trees=given.trees, max_depth=given.depth + 1, shrinkage=given.shrinkage,
        subsample=0.7, num_candidate_attributes_ratio=0.5, min_examples=30, validation_ratio=0.0,
        early_stopping='NONE', random_seed=given.seed, num_threads=1,
        features=[(name, ydf.Semantic.NUMERICAL) for name in rows.names],
    )


def weighted(rows, predicted):
    """As asci_tela_weighted, from the part's ground at 0."""
    return predicted * (rows.depth + rows.level) / (2 * rows.depth)


def share_good(rows, value):
    """Of events: whose candidate of the greatest value is good, of equal ones the deepest."""
    best = {}
    for k, event in enumerate(rows.event):
        if event not in best or (value[k], rows.level[k]) > (value[best[event]], rows.level[best[event]]):
            best[event] = k
    return np.mean([rows.good[k] for k in best.values()])


def share_random(rows):
    total, good = np.bincount(rows.event), np.bincount(rows.event, rows.good)
    return np.mean(good[total > 0] / total[total > 0])


def study(rows, given):
    instances = sorted(set(rows.instance), key=lambda name: hashlib.sha256(name.encode()).digest())
    fold_of = {name: k % FOLDS for k, name in enumerate(instances)}
    fold = np.array([fold_of[name] for name in rows.instance])
    predicted, shuffled = np.zeros(len(fold)), {name: np.zeros(len(fold)) for name in rows.names}
    draw = np.random.default_rng(given.seed)
    for k in range(FOLDS):
        model, test = learner(rows, given).train(rows.data(fold != k)), fold == k
        data = rows.data(test, label=False)
        predicted[test] = model.predict(data)
        for name in rows.names:
            shuffled[name][test] = model.predict({**data, name: draw.permutation(data[name])})
    error = lambda values: math.sqrt(np.mean((values - rows.label) ** 2))
    base = error(predicted)
    print(f'{len(fold):,} rows, {rows.event.max() + 1:,} events, {len(instances):,} instances; five folds by instance:')
    print(f'RMSE {base:.3f}, R2 {1 - base**2 / np.var(rows.label):.3f}')
    print(f'good: best {share_good(rows, weighted(rows, predicted)):.3f}, deepest {share_good(rows, rows.level):.3f}, '
          f'random {share_random(rows):.3f}')
    for name, title in sorted(zip(rows.names, rows.titles), key=lambda pair: -error(shuffled[pair[0]])):
        print(f'  RMSE grows by {error(shuffled[name]) - base:6.3f} without {title}')


# ---- tables ----------------------------------------------------------------------------------------------------------------


def nodes_of(node, feature_of):
    """In pre-order, the child below the threshold first."""
    if node.is_leaf:
        return [(round(node.value.value * SCALE), LEAF, 0)]
    low, high = nodes_of(node.neg_child, feature_of), nodes_of(node.pos_child, feature_of)
    condition = node.condition
    # a feature is a whole number: x >= t if and only if x >= ceil(t)
    return [(math.ceil(condition.threshold), feature_of[condition.attribute], len(low) + 1)] + low + high


def tables(model, names):
    columns = [column.name for column in model.data_spec().columns]
    feature_of = {columns.index(name): k for k, name in enumerate(names)}
    return [nodes_of(tree.root, feature_of) for tree in model.get_all_trees()]


def walk(trees, initial, features):
    """As asci_tela_score."""
    total = initial
    for tree in trees:
        at = 0
        while tree[at][1] != LEAF:
            at += 1 if features[tree[at][1]] < tree[at][0] else tree[at][2]
        total += tree[at][0]
    return min(max(total, 0), 10 * SCALE)


def wrapped(items, width=140):
    lines = ['']
    for item in items:
        if len(lines[-1]) + len(item) + 2 > width:
            lines.append('')
        lines[-1] += ('    ' if not lines[-1] else ' ') + item + ','
    return '\n'.join(lines)


def write_model(path, rows, trees, initial, given):
    begins, count = [], 0
    for tree in trees:
        begins.append(count)
        count += len(tree)
    head = f"""/* The model of learned backtracking, made by core/learn/train.py: do not edit.
 *
 * {len(trees)} gradient-boosted trees of depth {given.depth} (Yggdrasil Decision Forests {ydf.__version__}, shrinkage {given.shrinkage}, subsample 0.7, half of the features a node, 30 rows a leaf,
 * seed {given.seed}) of {len(rows.level):,} rows, {rows.event.max() + 1:,} backtracks on {len(set(rows.instance)):,} instances; label: {given.label}.
 * Rows: {given.origin}
 * SHA-256 of the rows: {rows.digest.hexdigest()} */
"""  # noqa: E501
    nodes = [f'{{{a}, {b}, {c}}}' for tree in trees for a, b, c in tree]
    body = f"""#include "learned.h"

/* clang-format off */
const int16_t asci_tela_initial = {initial};
const uint32_t asci_tela_tree_count = {len(trees)};
const uint16_t asci_tela_trees[] = {{
{wrapped(map(str, begins))}
}};
const tela_node asci_tela_nodes[] = {{
{wrapped(nodes)}
}};
/* clang-format on */
"""
    pathlib.Path(path).write_text(head + body)
    print(f'{path}: {count:,} nodes, {4 * count:,} bytes')


def write_pairs(path, rows, trees, initial, predicted, given):
    chosen = np.random.default_rng(given.seed).choice(len(rows.level), PAIRS, replace=False)
    lines = []
    for k in sorted(chosen):
        features = [int(rows.columns[name][k]) for name in rows.names]
        score, exact = walk(trees, initial, features), min(max(predicted[k] * SCALE, 0), 10 * SCALE)
        lines.append(f'{{{{{", ".join(map(str, features))}}}, {score}, {round(float(exact))}}},\n')
    pathlib.Path(path).write_text(
        '/* Made by core/learn/train.py with the model: features of training rows, their score by the tables, and 64 times what the library\n'
        '   that trained it predicts. */\n/* clang-format off */\n' + ''.join(lines) + '/* clang-format on */\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('rows', nargs='+')
    parser.add_argument('--model')
    parser.add_argument('--pairs')
    parser.add_argument('--trees', type=int, default=40)
    parser.add_argument('--depth', type=int, default=5)
    parser.add_argument('--shrinkage', type=float, default=0.15)
    parser.add_argument('--label', choices=['good', 'score'], default='good')
    parser.add_argument('--features', choices=['ours', 'papers'], default='ours')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--origin', default='see LEARNED.md')
    parser.add_argument('--no-study', action='store_true')
    given = parser.parse_args()
    ydf.verbose(0)
    rows = Rows(given.rows, given.label, given.features)
    if not given.no_study:
        study(rows, given)
    if not given.model:
        return
    every = np.ones(len(rows.level), bool)
    model = learner(rows, given).train(rows.data(every))
    predicted = model.predict(rows.data(every, label=False))
    trees, initial = tables(model, rows.names), round(model.initial_predictions()[0] * SCALE)
    features = np.stack([rows.columns[name] for name in rows.names], axis=1).astype(int).tolist()
    walked = np.array([walk(trees, initial, one) for one in features])
    worst = np.max(np.abs(walked - np.clip(predicted * SCALE, 0, 10 * SCALE)))
    print(f'tables against the library: at most {worst:.1f} of {10 * SCALE}')
    if worst > len(trees) / 2 + 1:  # each leaf and the initial value is rounded once
        raise SystemExit('the tables are not the model')
    write_model(given.model, rows, trees, initial, given)
    if given.pairs:
        write_pairs(given.pairs, rows, trees, initial, predicted, given)


if __name__ == '__main__':
    main()
