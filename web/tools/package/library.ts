/** What both hosts' entries of the npm package have. */
export { createClient } from '../../../wasm/client/client'
export type { WorkerLike } from '../../../wasm/client/host'
export { Core, type Explaining, type Found } from '../../../wasm/client/core'
export * from '../../../wasm/client/types'
export type { SearchEvent } from '../../../wasm/client/events'
