/** Profiles on the page: what may come in, which of those here it is, and what choosing one does to the problem. */
import { beforeEach, describe, expect, it } from 'vitest'
import { Actions } from '../../../web/src/run/actions'
import { reopen } from '../../../web/src/run/share/link'
import { Session } from '../../../web/src/run/session'
import * as v from 'valibot'
import * as schema from '../../../web/src/state/share/schema'
import * as a from '../../../web/src/state/atoms'
import { adopt, copyOf, faultOf, isOwn, plain, type Profile, usable } from '../../../web/src/state/profile/profile'
import { known, textOf } from '../../../web/src/state/profile/profile_texts'
import { Ledger } from '../../../web/src/state/share/ledger'
import { KEYS } from '../../../web/src/state/share/box'
import { DESK, restore } from '../../../web/src/state/share/storage'
import { banks } from '../../../web/src/state/workbench'
import { FakeClient, FakeStorage } from '../support/fake'
import { workbench } from '../../../web/src/state/workbench_cells'
import format from '../../../web/docs/link-format.json'

const npu: Profile = {
  id: 'npu',
  title: 'An NPU',
  vendor: 'Someone',
  capacity: 4096,
  reserved: 1024,
  alignment: 16,
  alignBy: 'offset',
  bank: 1024,
  mayCross: false,
}
const mine: Profile = { ...plain(npu), id: 'own-1', title: 'Mine', vendor: '' }

describe('a profile', () => {
  it('is read back as it is sent', () => {
    expect(v.parse(schema.profile, JSON.parse(JSON.stringify(plain(npu))))).toEqual(plain(npu))
    expect(plain({ ...npu, cores: 2 } as Profile)).not.toHaveProperty('cores')
    expect(usable(npu)).toBe(3072)
  })

  it('cannot be everything', () => {
    expect(faultOf(mine)).toBe('')
    expect(faultOf({ ...mine, title: '  ' })).toMatch(/no name/)
    expect(faultOf({ ...mine, reserved: 4096 })).toMatch(/reserved/)
    expect(faultOf({ ...mine, alignment: 8192 })).toMatch(/alignment/)
    expect(faultOf({ ...mine, bank: 8192 })).toMatch(/bank/)
    expect(faultOf({ ...mine, capacity: 0, bank: 8192 })).toBe('')
  })

  it('is copied under a name and an id of its own', () => {
    const copy = copyOf(npu, [mine])
    expect(copy).toMatchObject({ id: 'own-2', title: 'An NPU, copy', vendor: '', capacity: 4096 })
    expect(isOwn(copy)).toBe(true)
    expect(copyOf({ ...npu, title: 'x'.repeat(60) }, []).title).toHaveLength(60)
  })

  it('from outside is the one that is here, or becomes one of the own', () => {
    expect(adopt(plain(npu), [npu], [])).toBe(npu)
    expect(adopt({ ...mine, id: 'own-9' }, [npu], [mine])).toBe(mine)
    // its data have changed since
    expect(adopt({ ...plain(npu), capacity: 8192 }, [npu], [mine])).toMatchObject({
      id: 'own-2',
      vendor: '',
      capacity: 8192,
    })
  })

  it('of the core has a text with a status for each of its figures', () => {
    const text = textOf('maxim-max78000')
    expect(text?.banks).toMatchObject({ bytes: 32768, count: 16, mayCross: false, status: 'documented' })
    expect(text?.alignment.status).toBe('estimate')
    expect(textOf('own-1')).toBeUndefined()
  })

  it('of the core could as well have come from outside, and is here by its id', () => {
    expect(known.length).toBeGreaterThan(64)
    expect(known.map(({ id }) => id)).toEqual(known.map(({ id }) => id).sort())
    for (const profile of known) expect(adopt(v.parse(schema.profile, plain(profile)), known, [])).toBe(profile)
  })
})

describe('kept between visits', () => {
  const read = ({ ownProfiles, ...desk }: { ownProfiles: unknown[]; profile: unknown }) => {
    const box = new FakeStorage()
    box.setItem(KEYS.page + DESK, JSON.stringify(desk))
    for (const [k, one] of ownProfiles.entries()) box.setItem(`${KEYS.page}profile ${k}`, JSON.stringify(one))
    return restore(new Ledger(box, KEYS.page))
  }

  it('are the one in use and the own ones', () => {
    expect(read({ profile: mine, ownProfiles: [mine] })).toMatchObject({
      profile: mine,
      ownProfiles: [mine],
    })
  })

  it('but not what is damaged, or claims to be of the core', () => {
    const list = [mine, { ...mine, alignment: 0 }, plain(npu), 7]
    const kept = read({ profile: { ...mine, bank: -1 }, ownProfiles: list })
    expect(kept).toMatchObject({ profile: null, ownProfiles: [mine] })
    expect(read({ profile: undefined, ownProfiles: [] })).toMatchObject({ profile: null, ownProfiles: [] })
  })
})

describe('choosing', () => {
  const CSV = 'id,lower,upper,size\n'
  let client: FakeClient
  let session: Session
  let actions: Actions

  beforeEach(async () => {
    Object.assign(globalThis, { location: { hash: '' }, history: { replaceState: () => {} } })
    client = new FakeClient()
    session = new Session(client, { request: () => undefined, cancel: () => undefined })
    actions = new Actions(session)
    await session.start()
    await session.clear()
    workbench.profile.set(null)
    a.ownProfiles.set([])
    a.notice.set(null)
    await session.open(CSV, { kind: 'text', name: 'x.csv' }, 'x.csv')
  })

  it('reads the problem again in that memory, sets its capacity and drops the run', async () => {
    await session.run()
    expect(await actions.profile.chooseProfile(npu)).toBe(true)
    expect(client.profiles.at(-1)).toBe(npu)
    expect(workbench.profile.get()).toBe(npu)
    expect(workbench.capacity.get()).toBe(3072)
    expect(workbench.run.get().kind).toBe('idle')
    expect(workbench.opened.get()?.text).toBe(CSV)
    expect(banks.get()).toEqual({ bytes: 1024, mayCross: false })
  })

  it('leaves the capacity where the profile knows none, and when there is none any more', async () => {
    workbench.capacity.set(77)
    await actions.profile.chooseProfile({ ...npu, capacity: 0, reserved: 0 })
    expect(workbench.capacity.get()).toBe(77)
    await actions.profile.chooseProfile(null)
    expect(workbench.capacity.get()).toBe(77)
    expect(client.profiles.at(-1)).toBeNull()
    expect(banks.get()).toBeNull()
  })

  it('changes nothing and says why where the problem does not go with it', async () => {
    client.refuses = npu.id
    const before = workbench.opened.get()
    expect(await actions.profile.chooseProfile(npu)).toBe(false)
    expect(workbench.profile.get()).toBeNull()
    expect(workbench.opened.get()).toBe(before)
    expect(a.notice.get()?.text).toBe('An NPU does not take this problem: bank of “b” is 8.')
  })

  it('holds for the next problem, unless that does not go with it', async () => {
    await actions.profile.chooseProfile(npu)
    await actions.problem.openText(CSV, 'next.999.csv')
    expect(client.profiles.at(-1)).toBe(npu)
    expect(workbench.capacity.get()).toBe(3072)
    client.refuses = npu.id
    expect(await actions.problem.openText(CSV, 'third.csv')).toBe(true)
    expect(workbench.profile.get()).toBeNull()
    expect(a.notice.get()?.title).toBe('The profile was put aside.')
    expect(await actions.problem.openText('bad,lower,upper,size\n', 'bad.csv')).toBe(false)
    expect(workbench.mistakes.get()).toMatchObject({ total: 1 })
  })

  it('saves and deletes the own ones, the one in use with its problem', async () => {
    expect(await actions.profile.saveProfile(mine)).toBe(true)
    expect(workbench.profile.get()).toBeNull()
    await actions.profile.chooseProfile(mine)
    const larger = { ...mine, capacity: 8192 }
    expect(await actions.profile.saveProfile(larger)).toBe(true)
    expect(workbench.profile.get()).toBe(larger)
    expect(workbench.capacity.get()).toBe(7168)
    client.refuses = mine.id
    expect(await actions.profile.saveProfile({ ...mine, bank: 16 })).toBe(false)
    expect(a.ownProfiles.get()).toEqual([larger])
    client.refuses = ''
    await actions.profile.deleteProfile(larger)
    expect(workbench.profile.get()).toBeNull()
    expect(a.ownProfiles.get()).toEqual([])
  })

  it('comes with a link, and one that is not here stays', async () => {
    const shared = schema.parseShared({
      ...format.vectors.find(({ name }) => name === 'a profile')?.shared,
      steps: 0,
      step: 0,
    })
    await reopen(session, shared)
    expect(client.profiles.at(-1)).toMatchObject({ title: 'Mine', bank: 8192 })
    expect(a.ownProfiles.get()).toEqual([workbench.profile.get()])
    expect(workbench.capacity.get()).toBe(12)
    await reopen(session, shared)
    expect(a.ownProfiles.get()).toHaveLength(1)
    await reopen(session, { ...shared, profile: null })
    expect(workbench.profile.get()).toBeNull()
    const [first] = known
    await reopen(session, { ...shared, profile: { ...first } as Profile })
    expect(workbench.profile.get()).toBe(first)
    expect(a.ownProfiles.get()).toHaveLength(1)
  })
})
