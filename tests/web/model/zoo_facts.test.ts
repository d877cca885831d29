/** What the table of networks says of each: against the core. */
import { beforeAll, expect, it } from 'vitest'
import type { Client } from '../../../wasm/client/types'
import { lookAtZoo } from '../../../web/src/run/model/zoo_facts'
import { manifest } from '../../../web/src/state/atoms'
import { zooFacts } from '../../../web/src/state/model/zoo_facts'
import { networks } from '../../../web/src/state/model/zoo_networks'
import { nodeClient } from '../../wasm/support'

let client: Client
beforeAll(async () => {
  client = (await nodeClient()).client
  manifest.set(await client.manifest())
})

it('is the peak, the load over time and what the worst greedy planner loses on it, once for each network', async () => {
  const some = networks.filter(({ id }) => id === 'blazeface' || id === 'mobilenet_v2')
  expect(some.length).toBe(2)
  let made = 0
  const make = () => {
    made++
    return client
  }
  await lookAtZoo(some, new AbortController().signal, make)
  const blaze = zooFacts.get().get('blazeface')
  // arenascope stats and solve --solver=litert say the same
  expect([blaze?.peak, blaze?.loss.solver]).toEqual([344_064, 'LiteRT'])
  expect(blaze?.loss.share).toBeCloseTo(3 / 7)
  expect(Math.max(...(blaze?.sections.load ?? []))).toBe(344_064)
  expect(zooFacts.get().get('mobilenet_v2')?.loss.share).toBe(0)
  // what is known is not asked again
  await lookAtZoo(some, new AbortController().signal, make)
  expect(made).toBe(1)
})
