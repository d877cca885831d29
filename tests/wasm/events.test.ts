import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from './support'

const made = (...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'wasm/events.mjs'), ...args], { encoding: 'utf8' })

describe('events.ts', () => {
  test('is what the manifest of events gives: npm run events', () => {
    const { stdout, stderr } = made()
    expect(stderr).toBe('')
    expect(readFileSync(join(ROOT, 'wasm/client/events.ts'), 'utf8')).toBe(stdout)
  })
})
