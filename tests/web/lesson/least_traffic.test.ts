/** What the lesson on the least traffic works out itself, against the core. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../wasm/client/types'
import { leastTraffic } from '../../../web/src/lessons/least_traffic'
import { loadsOf } from '../../../web/src/lessons/answers/order_load'
import { graphOf, readMaterial, run } from '../../../web/src/run/lesson/lessons'
import { transfersOf } from '../../../web/src/state/model/transfers'
import { TWO_BRANCHES } from '../../two_branches'
import { nodeClient } from '../../wasm/support'

let client: Client
beforeAll(async () => {
  client = (await nodeClient()).client
})
afterAll(() => client.dispose())

describe('what an order keeps alive', () => {
  it('is added up operator by operator', async () => {
    const opened = await client.openGraph(TWO_BRANCHES, {})
    if (!opened.ok) throw new Error('no model')
    const { model, problem } = opened
    const live = { model, problem }
    expect([...loadsOf(live, model.ops.row)]).toEqual([...problem.sections.load])
    // one branch after the other
    expect([...loadsOf(live, [0, 2, 1, 3, 4])]).toEqual([15, 17, 17, 18, 12])
    expect([...loadsOf({ model: null, problem }, [0, 1])]).toEqual([0, 0])
  })
})

describe('the lesson', () => {
  it('may say that what goes out comes back once', async () => {
    const { show } = leastTraffic.steps[1] ?? {}
    if (show === undefined || !('network' in show.problem)) throw new Error('no network')
    const { problem, model } = await readMaterial(client, await graphOf(show.problem), show)
    if (model === undefined) throw new Error('no model')
    const { plan, stats } = (await run(client, problem, show)).result
    if (plan == null) throw new Error('no plan')
    const moves = transfersOf(plan, model)
    const tensors = (kind: string) => moves.filter((move) => move.kind === kind).map(({ tensor }) => tensor)
    const [out, back] = [tensors('spill').sort(), tensors('fetch').sort()]
    expect(out).toEqual(back)
    expect(new Set(out).size).toBe(out.length)
    expect(moves.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(stats.cost)
  })
})
