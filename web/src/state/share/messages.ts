/** What the page around an embedded one may say to it, and what it answers: the whole of the protocol, described in web/docs/embedding.md. */
import * as v from 'valibot'
import { name, reasonOf, type Shared, shared, whole } from './schema'

const PREFIX = 'arenascope/'

/** From the page around. */
export type Asked =
  | { type: 'arenascope/listen' }
  | { type: 'arenascope/seek'; step: number }
  /** profile: of this version, by its id, instead of the search's own; step: the one to be shown, else the last */
  | { type: 'arenascope/open'; search: Shared; profile?: string | undefined; step?: number | undefined }

/** To the page around. height: bytes, null where there is no plan. */
export type Told =
  | { type: 'arenascope/ready'; version: 1 }
  | { type: 'arenascope/step'; step: number; steps: number }
  | {
      type: 'arenascope/result'
      outcome: string
      height: number | null
      lowerBound: number
      steps: number
      digest: string
    }
  | { type: 'arenascope/error'; message: string }

const asked: v.GenericSchema<unknown, Asked> = v.variant('type', [
  v.object({ type: v.literal('arenascope/listen') }),
  v.object({ type: v.literal('arenascope/seek'), step: whole }),
  v.object({
    type: v.literal('arenascope/open'),
    search: shared,
    profile: v.optional(name),
    step: v.optional(whole),
  }),
])

/** null: it is not meant for the page; a text: it is, and what is wrong with it. */
export function askedOf(data: unknown): Asked | string | null {
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : null
  if (typeof type !== 'string' || !type.startsWith(PREFIX)) return null
  try {
    return v.parse(asked, data)
  } catch (error) {
    return reasonOf(error) || 'this is no message of the protocol'
  }
}
