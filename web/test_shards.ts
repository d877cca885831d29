/** Which files of a sharded run go where: shares of about as many seconds each, where Vitest would share out their number. */
import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The folder of end-to-end tests that no share has: they watch the time or what comes when, or hold a million buffers. */
export const MEASURED = 'timing/'

/** Seconds, on two cores that do four things at once; any other takes some `PLAIN`. */
export const DEAR: Record<string, number> = {
  axe: 150,
  app: 95,
  model: 65,
  edit: 60,
  lessons: 55,
  everywhere_making: 52,
  still: 50,
  compare: 48,
  export: 46,
  everywhere_page: 46,
  marks: 42,
  sizes_and_themes: 42,
  everywhere_canvas: 40,
  kept: 38,
  later: 31,
  everywhere_exports: 29,
  profiles: 27,
  lean: 25,
  firefox: 25,
  everywhere_compare: 22,
  tree: 22,
  canvas: 21,
}
const PLAIN = 12

interface Share {
  seconds: number
  files: string[]
}

/** The dearest first, each to the share that has least so far; equal ones by name, for each shard is drawn up by a process of its own. */
export function sharesOf(files: readonly string[], count: number): Share[] {
  const secondsOf = (file: string): number => DEAR[basename(file, '.e2e.ts')] ?? PLAIN
  const shares = Array.from({ length: count }, (): Share => ({ seconds: 0, files: [] }))
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))) {
    const least = shares.reduce((one, other) => (other.seconds < one.seconds ? other : one))
    least.seconds += secondsOf(file)
    least.files.push(file)
  }
  return shares
}

export class Shards extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 }
    const share = sharesOf(
      files.map(({ moduleId }) => moduleId),
      count,
    )[index - 1]
    return files.filter(({ moduleId }) => share?.files.includes(moduleId))
  }
}
