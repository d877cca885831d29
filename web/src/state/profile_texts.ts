/** What is known of each profile of the core and who says so: the same files that its table is made of, fetched when they are looked at. */

export type Status = 'documented' | 'secondary' | 'common knowledge' | 'estimate' | 'not public'

interface Figure {
  status: Status
  source?: string
}

/** As core/src/profile/schema.json has it, by which the files were checked. */
export interface ProfileText {
  id: string
  memory: string
  recommended?: true
  capacity: Figure & { bytes: number }
  reserved?: Figure & { bytes: number }
  alignment: Figure & { bytes: number; apply: 'offset' | 'size' | 'both' }
  banks?: Figure & { bytes: number; count: number; mayCross: boolean }
  cores?: Figure & { count: number; of: string }
  dtype: Figure & { name: string }
  transfer?: Figure & { picosecondsPerByte: number }
  pools?: { name: string; bytes: number }[]
  notes?: string
}

const files = import.meta.glob<ProfileText>('../../../core/src/profile/data/*.json', { import: 'default', eager: true })
const texts = new Map(Object.values(files).map((text) => [text.id, text]))

export function textOf(id: string): ProfileText | undefined {
  return texts.get(id)
}
