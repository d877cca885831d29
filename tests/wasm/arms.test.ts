/** The page reads the names of exact's arms, all that the core has. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Manifest } from '../../wasm/client/types'
import { armOf } from '../../web/src/state/solver/arms'
import { ROOT } from './support'

it('knows every arm of the portfolio', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'build/wasm/manifest.json'), 'utf8')) as Manifest
  const exact = manifest.solvers.find((solver) => solver.id === 'exact')
  const names = ['portfolio', 'bound_arms'].flatMap((id) =>
    (exact?.options.find((option) => option.name === id)?.initial ?? '').split(','),
  )
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => armOf(name) === null)).toEqual([])
})
