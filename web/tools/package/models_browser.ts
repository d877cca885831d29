/** The npm package of models in a browser. */
export * from './browser'
export * from './import'
// the importers have a type of this name as well
export type { Progress } from './browser'
