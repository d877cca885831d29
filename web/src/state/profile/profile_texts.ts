/** The profiles of the core, what is known of each and who says so: the same files that its table is made of, fetched when they are looked at. */
import type { AlignBy } from '../../../../wasm/client/types'
import type { Profile } from './profile'

export type Status = 'documented' | 'secondary' | 'common knowledge' | 'estimate' | 'not public'

interface Figure {
  status: Status
  source?: string
}

/** As core/src/profile/schema.json has it, by which the files were checked. */
export interface ProfileText {
  id: string
  title: string
  vendor: string
  memory: string
  recommended?: true
  capacity: Figure & { bytes: number }
  reserved?: Figure & { bytes: number }
  alignment: Figure & { bytes: number; apply: AlignBy }
  banks?: Figure & { bytes: number; count: number; mayCross: boolean }
  cores?: Figure & { count: number; of: string }
  dtype: Figure & { name: string }
  transfer?: Figure & { picosecondsPerByte: number }
  pools?: { name: string; bytes: number }[]
  notes?: string
}

const files = import.meta.glob<ProfileText>('../../../../core/src/profile/data/*.json', {
  import: 'default',
  eager: true,
})
const texts = new Map(Object.values(files).map((text) => [text.id, text]))

/** In order of id, by which vendors are together. What a file leaves out is as in core/profiles.cmake. */
export const known = [...texts.values()].map(
  ({ id, title, vendor, capacity, reserved, alignment, banks }): Profile => ({
    id,
    title,
    vendor,
    capacity: capacity.bytes,
    reserved: reserved?.bytes ?? 0,
    alignment: alignment.bytes,
    alignBy: alignment.apply,
    bank: banks?.bytes ?? 0,
    mayCross: banks?.mayCross ?? true,
  }),
)

export function textOf(id: string): ProfileText | undefined {
  return texts.get(id)
}
