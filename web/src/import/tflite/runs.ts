/** What of a file with several subgraphs is run: one of them, by its number or by the signature that names it, or what TFLite Micro allocates. */
import { Refusal } from '../refusal'
import type { FileSubgraph, TfliteFile } from './file'
import { Model, Signature } from './schema'

/** 'all': the main subgraph runs, and all the others have their tensors allocated meanwhile, as TFLite Micro does it. */
export type Runs = 'all' | { subgraph: number } | { signature: string }

export interface RunChoice {
  runs: Runs
  /** of the subgraph or the signature */
  name: string
}

interface SignatureDef {
  name: string
  subgraph: number
}

const MOST = 1024

function signaturesOf(file: TfliteFile): SignatureDef[] {
  const list = file.model.tables(Model.signatures, (index) => `signature ${index}`)
  if (!list || list.length > MOST) return []
  return Array.from({ length: list.length }, (_, index) => {
    const table = list.table(index)
    return { name: table.text(Signature.name, 255), subgraph: table.uint32(Signature.subgraph) }
  }).filter(({ name }) => name !== '')
}

/** The subgraphs that nobody else runs, each by its signature if it has one; empty if that is the main one alone. */
export function choicesOf(file: TfliteFile, subgraphs: readonly FileSubgraph[]): RunChoice[] {
  const called = new Set(subgraphs.flatMap(({ ops }) => ops.flatMap(({ callees }) => callees)))
  const entries = subgraphs.flatMap((_, index) => (index === 0 || !called.has(index) ? [index] : []))
  if (entries.length < 2) return []
  const signatures = signaturesOf(file)
  return entries.flatMap((index): RunChoice[] => {
    const named = signatures.filter(({ subgraph }) => subgraph === index)
    if (named.length > 0) return named.map(({ name }) => ({ runs: { signature: name }, name }))
    return [{ runs: { subgraph: index }, name: subgraphs[index]?.name || `subgraph ${index}` }]
  })
}

/** The number of the subgraph that runs. Throws Refusal if there is none of that number or name. */
export function entryOf(file: TfliteFile, subgraphs: readonly FileSubgraph[], runs: Runs | undefined): number {
  if (runs === undefined || runs === 'all') return 0
  if ('subgraph' in runs) {
    if (runs.subgraph < subgraphs.length) return runs.subgraph
    throw new Refusal(`there is no subgraph ${runs.subgraph}: the file has ${subgraphs.length}, counted from 0.`)
  }
  const signatures = signaturesOf(file)
  const found = signatures.find(({ name }) => name === runs.signature)
  if (!found) {
    const names = signatures.map(({ name }) => name).join(', ')
    throw new Refusal(
      `there is no signature “${runs.signature}”${names === '' ? ', nor any other' : `, only ${names}`}.`,
    )
  }
  if (found.subgraph < subgraphs.length) return found.subgraph
  throw new Refusal(`signature ${found.name} names subgraph ${found.subgraph}, and there are ${subgraphs.length}.`)
}
