/** Certificates in the whole module: written by one instance, checked by another, and what is wrong is refused in words. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Certifier, makeCertificate } from './certificate'
import { type CertificateNews, type CertificateTask, certify, check } from './certify'
import { compileModule, type Exports, instantiate } from '../module'
import type { RunConfig } from '../types'

const module = await compileModule(readFileSync('build/wasm/core.wasm'))
const instances: Exports[] = []
for (let k = 0; k < 24; k++) instances.push(await instantiate(module))
const fresh = () => instances.pop() as Exports

const SIX = 'id,lower,upper,size\na,4,6,1\nb,1,4,4\nc,0,5,1\nd,3,6,1\ne,7,8,3\nf,4,8,3\n'
const config: RunConfig = { solver: 'exact', capacity: 5, seed: 1, budget: 0, options: {} }
const six: CertificateTask = { csv: SIX, profile: null, config }
const quiet = () => undefined

/** Buffers of sizes and lifespans that take the search some steps. */
function random(count: number): string {
  let state = 7
  const below = (limit: number) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * limit)
  }
  const rows = Array.from({ length: count }, (_, k) => {
    const lower = below(12)
    return `b${k},${lower},${lower + 1 + below(8)},${1 + below(9)}`
  })
  return `id,lower,upper,size\n${rows.join('\n')}\n`
}

describe('a certificate', () => {
  it('is the command’s, byte for byte', async () => {
    const { proven, text } = certify(fresh, six, quiet)
    expect(proven).toBe(5)
    expect(await text.text()).toBe('arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 1 2:0 1:0 3:0 !3\nnone 5 L1\n')
  })

  it('of the least height tells how far it is, and is checked', async () => {
    const news: CertificateNews[] = []
    const task = {
      ...six,
      csv: random(40),
      config: { ...config, goal: 'height' as const, capacity: 1000, budget: 60000 },
    }
    const { proven, text } = certify(fresh, task, (one) => news.push(one))
    expect(proven).toBeGreaterThan(20)
    expect(news.at(-1)).toEqual({ kind: 'checking' })
    const whole = new Uint8Array(await text.arrayBuffer())
    expect(check(fresh(), task, whole)).toBe(proven)
    const damaged = new TextEncoder().encode(new TextDecoder().decode(whole).replace(/ [!#L]\d+\n/, '\n'))
    expect(() => check(fresh(), task, damaged)).toThrow()
  })

  it('goes by the memory of the profile', () => {
    const profile = { capacity: 0, reserved: 0, alignment: 4, alignBy: 'size' as const, bank: 0, mayCross: true }
    const { proven } = certify(fresh, { ...six, profile, config: { ...config, capacity: 11 } }, quiet)
    expect(proven).toBe(11)
  })

  it('is none where nothing is proven', () => {
    const { proven } = certify(fresh, { ...six, config: { ...config, capacity: 6, budget: 1 } }, quiet)
    expect(proven).toBe(-1)
  })

  it('is refused in words', () => {
    const windows = 'id,lower,upper,size,gaps\na,0,5,4,1-2@0:1\n'
    expect(() => certify(fresh, { ...six, csv: windows }, quiet)).toThrow('gaps with windows')
    expect(() => certify(fresh, { ...six, csv: 'id,lower\na,x\n' }, quiet)).toThrow()
    expect(() => certify(fresh, { ...six, config: { ...config, solver: 'none' } }, quiet)).toThrow(
      'no solver of that name',
    )
    expect(() => check(fresh(), six, new TextEncoder().encode('certificate\n'))).toThrow('arenascope-proof 1')
  })
})

describe('its worker', () => {
  const made = { proven: 5, text: new Blob(['x']) }
  function worker() {
    const ended = { times: 0 }
    const one: Certifier = {
      onmessage: null,
      onerror: null,
      postMessage: () => undefined,
      terminate: () => ended.times++,
    }
    const say = (data: CertificateNews) => one.onmessage?.({ data } as MessageEvent<CertificateNews>)
    return { one, say, ended }
  }

  it('is ended when it is done, when it fails and when nobody wants it', async () => {
    const [done, failed, lost, left] = [worker(), worker(), worker(), worker()]
    const heard: CertificateNews[] = []
    const end = new AbortController()
    const ask = (of: ReturnType<typeof worker>) =>
      makeCertificate(
        six,
        end.signal,
        (news) => heard.push(news),
        () => of.one,
      )
    const asked = [ask(done), ask(failed), ask(lost), ask(left)]
    done.say({ kind: 'progress', steps: 1, bytes: 2 })
    done.say({ kind: 'made', certificate: made })
    failed.say({ kind: 'failed', message: 'no memory' })
    lost.one.onerror?.({ message: '' } as ErrorEvent)
    end.abort()
    left.say({ kind: 'made', certificate: made })
    expect(await asked[0]).toBe(made)
    await expect(asked[1]).rejects.toThrow('no memory')
    await expect(asked[2]).rejects.toThrow('could not be fetched')
    expect(await asked[3]).toBe(null)
    expect(heard).toEqual([{ kind: 'progress', steps: 1, bytes: 2 }])
    for (const { ended } of [done, failed, lost, left]) expect(ended.times).toBeGreaterThan(0)
  })
})
