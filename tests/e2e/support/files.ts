/** Long problems as files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { makeCore } from '../../wasm/support'

/** Makes problems of a kind of the core's as files that last as long as the tests: on the disk, as a person has them; what is handed over in memory is decoded by the page. */
export function problemFiles(): (kind: string, count: number) => Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'arenascope-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return async (kind, count) => {
    const core = await makeCore()
    const { csv, capacity } = core.generate(kind, count, 1)
    core.free()
    const file = join(folder, `many.${capacity}.csv`)
    writeFileSync(file, csv)
    return file
  }
}
