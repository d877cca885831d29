/** What was assumed or changed, in sentences. */

/** One and several, with %d for how many. */
const sentences: Readonly<Record<string, readonly [string, string]>> = {
  bias: [
    'One Add of a constant was taken as the bias of the operator before it.',
    '%d Add of constants were taken as the biases of the operators before them.',
  ],
  normalisation: [
    'One BatchNormalization was folded into the operator before it.',
    '%d BatchNormalization were folded into the operators before them.',
  ],
  activation: [
    'One activation was fused into the operator before it.',
    '%d activations were fused into the operators before them.',
  ],
  constant: [
    'One operator works on constants alone: its result is taken as a constant.',
    '%d operators work on constants alone: their results are taken as constants.',
  ],
  weights: [
    'One DequantizeLinear works on a constant: who reads it reads the integers of the file.',
    '%d DequantizeLinear work on constants: who reads them reads the integers of the file.',
  ],
  integer: [
    'One operator between DequantizeLinear and QuantizeLinear was taken as one on integers.',
    '%d operators between DequantizeLinear and QuantizeLinear were taken as operators on integers.',
  ],
  float: [
    'One DequantizeLinear stays: what reads it works on floats.',
    '%d DequantizeLinear stay: what reads them works on floats.',
  ],
  idle: ['One Identity or Dropout was left out.', '%d Identity or Dropout were left out.'],
  unread: [
    'One operator whose results nobody reads was left out.',
    '%d operators whose results nobody reads were left out.',
  ],
  function: [
    'One call of a function of the model was replaced by its body.',
    '%d calls of functions of the model were replaced by their bodies.',
  ],
  order: [
    'The nodes were put in an order in which each comes after what it reads.',
    'The nodes of %d graphs were put in an order in which each comes after what it reads.',
  ],
  declared: [
    'The file declares another shape for one tensor than its operator makes; what the operator makes counts.',
    'The file declares other shapes for %d tensors than their operators make; what the operators make counts.',
  ],
  branches: [
    'The branches of an If differ in the shape of one output; the larger counts.',
    'The branches of If differ in the shapes of %d outputs; the larger counts.',
  ],
  undecided: [
    'One If may take either of its branches; what each needs at its fullest is planned for.',
    '%d If may take either of their branches; what each needs at its fullest is planned for.',
  ],
  turns: [
    'A Loop may end early; its largest number of turns counts.',
    '%d Loop may end early; their largest number of turns counts.',
  ],
}

/** counts: how often each of the above; remarks: other sentences; idle: names of answers that nothing asked for. */
export function notesOf(
  counts: ReadonlyMap<string, number>,
  remarks: readonly string[],
  idle: readonly string[],
): string[] {
  const told = Object.entries(sentences).flatMap(([what, [one, several]]) => {
    const count = counts.get(what)
    return count === undefined ? [] : [count === 1 ? one : several.replace('%d', String(count))]
  })
  return [
    ...told,
    ...remarks,
    ...idle.map(
      (name) => `Nothing in the model is called ${name} and open, or has as many values: the answer was not used.`,
    ),
  ]
}
