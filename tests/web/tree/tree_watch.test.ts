/** The tree follows the step: newest first, further back while nothing plays, and never past a new run. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Frame, TreePath } from '../../../wasm/client/types'
import { Session } from '../../../web/src/run/session'
import { foldAll, TreeWatch } from '../../../web/src/run/tree/tree'
import * as t from '../../../web/src/state/tree/tree'
import { FakeClient } from '../support/fake'
import { workbench } from '../../../web/src/state/workbench_cells'

let client: FakeClient
let session: Session
let watch: TreeWatch

const pathTo = (step: number, whole = true): TreePath => ({
  step,
  depth: 0,
  top: 0,
  nodes: [{ step: 0, attempts: [], more: 0, whole }],
  tried: 0,
  candidates: 2,
  whole,
  from: 0,
})

const turns = async (count = 12) => {
  for (let k = 0; k < count; k++) await Promise.resolve()
}

/** Frames of a solver that branches. */
function branching(): void {
  const seek = client.seek.bind(client)
  client.seek = async (step: number): Promise<Frame | null> => {
    const shown = await seek(step)
    return shown && { ...shown, tried: new Uint32Array(), candidates: new Uint32Array() }
  }
}

beforeEach(async () => {
  client = new FakeClient()
  client.path = async (...asked) => {
    client.pathsAsked.push(asked)
    return pathTo(asked[0])
  }
  session = new Session(client, { request: () => {}, cancel: () => {} })
  await session.start()
  await session.clear()
  foldAll()
  await session.open('id,lower,upper,size\na,0,1,1\n', { kind: 'text', name: 'x.csv' }, 'x.csv')
  watch = new TreeWatch(session)
  watch.start()
})

afterEach(() => watch.stop())

const known = () => {
  const state = t.tree.get()
  return state.kind === 'known' ? [state.known.frame.step, state.known.path?.step ?? null] : state.kind
}

describe('the tree', () => {
  it('comes with the step, and goes with the run', async () => {
    branching()
    await session.run()
    await turns()
    expect(known()).toEqual([100, 100])
    session.player.seek(40)
    await turns()
    expect(known()).toEqual([40, 40])
    session.discard()
    expect(known()).toBe('none')
  })

  it('is none where the solver does not branch, and nothing is asked then', async () => {
    await session.run()
    await turns()
    expect(known()).toEqual([100, null])
    expect(client.pathsAsked).toEqual([])
  })

  it('passes over steps that are gone when their turn comes', async () => {
    branching()
    await session.run()
    await turns()
    const answers: (() => void)[] = []
    client.path = (...asked) => {
      client.pathsAsked.push(asked)
      return new Promise((resolve) => answers.push(() => resolve(pathTo(asked[0]))))
    }
    client.pathsAsked = []
    for (const step of [10, 11, 12, 13]) {
      session.player.seek(step)
      await turns()
    }
    expect(client.pathsAsked.map(([step]) => step)).toEqual([10])
    answers.shift()?.()
    await turns()
    expect(client.pathsAsked.map(([step]) => step)).toEqual([10, 13])
    answers.shift()?.()
    await turns()
    expect(known()).toEqual([13, 13])
  })

  it('looks further back in rounds while nothing plays, gives up in the end, and goes on when asked', async () => {
    branching()
    client.path = async (...asked) => {
      client.pathsAsked.push(asked)
      return pathTo(asked[0], false)
    }
    await session.run()
    await turns(400)
    const first = client.pathsAsked.length
    expect(first).toBeGreaterThan(5)
    expect(first).toBeLessThan(100)
    expect(client.pathsAsked.every(([step]) => step === 100)).toBe(true)
    expect((client.pathsAsked[0]?.[3] ?? 0) < (client.pathsAsked[1]?.[3] ?? 0)).toBe(true)
    expect(known()).toEqual([100, 100])
    watch.lookFurther()
    await turns(600)
    expect(client.pathsAsked.length).toBeGreaterThan(2 * first - 2)
  })

  it('asks for more levels when more are wanted', async () => {
    branching()
    await session.run()
    await turns()
    t.treeLevels.set(t.LEVELS * 4)
    await turns()
    expect(client.pathsAsked.at(-1)?.[1]).toBe(t.LEVELS * 4)
  })

  it('says so when it cannot be read', async () => {
    branching()
    client.path = async () => {
      throw new Error('The solver stopped.')
    }
    await session.run()
    await turns()
    expect(t.tree.get()).toEqual({ kind: 'failed', message: 'The solver stopped.' })
  })

  it('unfolds a small subtree, folds it again, and leaves large ones alone', async () => {
    branching()
    await session.run()
    await turns()
    const attempt = { step: 40, end: 60, kind: 'place' as const, buffer: 0, offset: 0, count: 1, rule: 0 }
    expect(await watch.unfold(attempt, 1)).toBe(true)
    expect([...t.subtrees.get().keys()]).toEqual([40])
    expect(await watch.unfold(attempt, 1)).toBe(true)
    expect(t.subtrees.get().size).toBe(0)
    expect(await watch.unfold({ ...attempt, end: 40_000 }, 1)).toBe(false)
    client.seek = () => Promise.reject(new Error('There is no run yet.'))
    expect(await watch.unfold(attempt, 1)).toBe(false)
    expect(workbench.run.get().kind).toBe('ended')
  })
})
