/** What is read keeps to a pace that can be read while many steps fly by. */
import { act } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useRead } from '../../../web/src/panels/controls/use_read'
import { playing, speed } from '../../../web/src/state/atoms'
import { stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()
let drawn = 0

function Reader() {
  drawn += 1
  return <p>{useRead(workbench.cursor)}</p>
}

const at = (step: number) => act(() => workbench.cursor.set(step))
const wait = (time: number) => act(() => void vi.advanceTimersByTime(time))
let host: HTMLElement

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  host = on.show(<Reader />)
  drawn = 0
})
afterEach(() => {
  playing.set(false)
  vi.useRealTimers()
})

function fly(): void {
  speed.set(10_000)
  act(() => playing.set(true))
}

describe('what is read', () => {
  it('is told at every step while there is time to read', () => {
    speed.set(20)
    playing.set(true)
    for (let step = 1; step <= 5; step++) {
      at(step)
      expect(host.textContent).toBe(String(step))
    }
  })

  it('is told ten times a second while steps fly by, and always the newest', () => {
    fly()
    for (let step = 1; step <= 60; step++) {
      at(step * 100)
      wait(10)
    }
    expect(host.textContent).toBe('6000')
    expect(drawn).toBe(6)
  })

  it('is told at once when playing stops', () => {
    fly()
    at(700)
    expect(host.textContent).toBe('0')
    act(() => playing.set(false))
    expect(host.textContent).toBe('700')
  })

  it('is told at once when playing slows down', () => {
    fly()
    at(700)
    act(() => speed.set(5))
    expect(host.textContent).toBe('700')
  })

  it('asks for nothing more once it is gone', () => {
    fly()
    at(700)
    on.show(<p>Nothing.</p>)
    expect(vi.getTimerCount()).toBe(0)
  })
})
