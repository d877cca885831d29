/** The npm package of models in Node. */
export * from './import'
export * from './node'
// the importers have a type of this name as well
export type { Progress } from './node'
