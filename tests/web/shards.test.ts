/** Shares of the end-to-end tests: every file is in one of them, whatever the order in which they were found. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEAR, MEASURED, sharesOf } from '../../web/test_shards'
import { ROOT } from '../wasm/support'

/** Those that are shared out: what watches the time is a project of its own. */
const files = readdirSync(join(ROOT, 'tests/e2e'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.e2e.ts') && !name.startsWith(MEASURED),
)

describe('shares', () => {
  it('have each file once, the same from any order, and about as much to do', () => {
    const shares = sharesOf(files, 4)
    expect(shares.flatMap(({ files: own }) => own).sort()).toEqual([...files].sort())
    expect(sharesOf([...files].reverse(), 4)).toEqual(shares)
    const seconds = shares.map((share) => share.seconds)
    expect(Math.max(...seconds)).toBeLessThan(1.1 * Math.min(...seconds))
  })

  it('know the dear files by names that are there', () => {
    expect(Object.keys(DEAR).filter((name) => !files.some((file) => file.endsWith(`/${name}.e2e.ts`)))).toEqual([])
  })
})
