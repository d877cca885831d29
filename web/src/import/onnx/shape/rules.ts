/** The rule of each operator. What is not here needs value_info or an answer. */
import { attentions, contributed } from './attention'
import { convolutions } from './conv'
import { elementwise } from './elementwise'
import { generators } from './generate'
import { layouts } from './layout'
import { linear } from './linear'
import { normalisations } from './normal'
import { parts } from './parts'
import { quantisedRecurrent, recurrent } from './recurrent'
import { reductions } from './reduce'
import { resizing } from './resize'
import type { Rule, Rules } from './rule'
import { signals } from './signal'

const standard: Rules = {
  ...elementwise,
  ...convolutions,
  ...linear,
  ...layouts,
  ...parts,
  ...reductions,
  ...resizing,
  ...generators,
  ...normalisations,
  ...recurrent,
  ...attentions,
  ...signals,
}

/** ONNX Runtime's own domain repeats standard operators with the same shapes, and some of its operators are written without a domain. */
const own: Rules = { ...contributed, ...quantisedRecurrent }
const byDomain: Readonly<Record<string, readonly Rules[]>> = {
  '': [standard, own],
  'com.microsoft': [own, standard],
}

export function ruleOf(domain: string, type: string): Rule | undefined {
  return byDomain[domain]?.find((rules) => Object.hasOwn(rules, type))?.[type]
}
