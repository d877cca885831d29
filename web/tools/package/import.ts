/** The importers: files of other tools as graphs or lists of buffers. No host is needed beside TextDecoder. */
export { writeGraphCsv } from '../../src/import/graph_csv'
export { writeGraphJson } from '../../src/import/graph_json'
export type * from '../../src/import/graph'
export * from '../../src/import/imported'
export { importModel } from '../../src/import/model'
export { type Fetch, fromBytes, fromFetch, type Source } from '../../src/import/source'
