/* Features, trees and scores of a learned jump: see learned.h. */
#include "learned.h"

static int16_t clamped(uint64_t value) {
  return value < INT16_MAX ? (int16_t)value : INT16_MAX;
}

static int16_t share(uint64_t part, uint64_t of) {
  return of ? (int16_t)(part * TELA_SHARE / of) : 0;
}

static uint32_t part_size(const tela_search *s) {
  const tela_part *part = &s->parts[s->part];
  return s->phase_begin[part->end_phase] - s->phase_begin[part->first_phase];
}

void asci_tela_measure(const tela_search *s, uint32_t k, uint32_t deeper, int16_t features[TELA_FEATURES]) {
  uint32_t level = s->scratch[k], depth = s->base.depth - s->ground, x = level - s->ground;
  const tela_point *open = &s->points[s->base.depth], *p = &s->points[level];
  uint32_t buffer = s->base.placed[level];
  features[TELA_BLAMED] = clamped(s->blamed[buffer]);
  features[TELA_RETURNS] = clamped(p->returns);
  features[TELA_SAME_PHASE] = s->phase[buffer] == open->phase;
  features[TELA_DISTANCE] = clamped(depth - x);
  features[TELA_IN_CONFLICT] = s->flags[level];
  features[TELA_RANK] = clamped(s->jump.count - 1 - k);
  features[TELA_UNTRIED] = clamped(p->count - p->next);
  features[TELA_LEVEL_SHARE] = share(x, part_size(s));
  features[TELA_DEPTH_SHARE] = share(x, depth);
  features[TELA_STUCK_RULE] = s->jump.stuck;
  features[TELA_HEAT] = clamped(s->heat[buffer]);
  features[TELA_DEEPER] = clamped(deeper);
  features[TELA_DEEPER_SHARE] = share(deeper, s->conflict_count - open->conflict);
}

static int32_t leaf_of(const tela_node *node, const int16_t features[TELA_FEATURES]) {
  while (node->feature != TELA_LEAF) node += features[node->feature] < node->threshold ? 1 : node->skip;
  return node->threshold;
}

int32_t asci_tela_score(const int16_t features[TELA_FEATURES]) {
  int32_t sum = asci_tela_initial;
  for (uint32_t t = 0; t < asci_tela_tree_count; t++) sum += leaf_of(asci_tela_nodes + asci_tela_trees[t], features);
  return sum < 0 ? 0 : sum < TELA_SCORES ? sum : TELA_SCORES;
}

int32_t asci_tela_weighted(const tela_search *s, int32_t score, uint32_t level) {
  int64_t depth = s->base.depth - s->ground, x = level - s->ground;
  return (int32_t)(score * (depth + x) / (2 * depth));
}

uint32_t asci_tela_score_all(const tela_search *s) {
  uint32_t best = s->jump.count, deeper = 0;
  int32_t most = -1;
  for (uint32_t k = s->jump.count; k-- > 0;) {
    int16_t features[TELA_FEATURES];
    asci_tela_measure(s, k, deeper, features);
    s->scores[k] = asci_tela_score(features);
    deeper += s->flags[s->scratch[k]];
    int32_t weighted = asci_tela_weighted(s, s->scores[k], s->scratch[k]);
    if (weighted <= most) continue;
    most = weighted;
    best = k;
  }
  return best;
}
