/** Sharing: a link, a file where it would be too long, or why there is nothing; and the texts that are copied. */
import { act } from '@testing-library/preact'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Share } from '../../../web/src/panels/share/share'
import type { SharedOut } from '../../../web/src/run/share/link'
import { control, fireEvent, press, screen, stand } from '../support/stand'
import { workbench } from '../../../web/src/state/workbench_cells'

const on = stand()

// what the actions fetch first is there
await import('../../../web/src/run/share/link')
await import('../../../web/src/run/share/exports')

const link: SharedOut = { kind: 'link', fragment: 's1.ABC' }
const show = async (out: Promise<SharedOut | null> | SharedOut) => {
  const pack = Promise.resolve(out).then((made) => made && (async () => made))
  vi.spyOn(on.actions.share, 'gather').mockReturnValue(pack)
  on.show(<Share />)
  await on.settle()
}
const field = (name: string) => control('textbox', name) as HTMLInputElement
const copied: string[] = []
const clipboard = (write: (text: string) => Promise<void>) =>
  vi.stubGlobal('navigator', { clipboard: { writeText: write } })
const willing = () =>
  clipboard(async (text) => {
    copied.push(text)
  })
const src = () => {
  const page = document.createElement('div')
  page.innerHTML = field('Embed code').value
  return page.querySelector('iframe') as HTMLIFrameElement
}

afterEach(() => {
  vi.unstubAllGlobals()
  copied.length = 0
})

describe('the sheet that shares', () => {
  it('makes a link of what is open', async () => {
    on.show(<Share />)
    control('status', '')
    screen.getByText('Making the link…')
    await vi.waitFor(() => expect(field('Link').value).toMatch(/#s1\.[\w-]{20,}$/))
    expect(screen.queryByText('Making the link…')).toBeNull()
  })

  it('carries what is said of it, and nothing of another problem', async () => {
    const { decodeLink } = await import('../../../web/src/state/share/codec')
    on.show(<Share />)
    await vi.waitFor(() => expect(field('Link').value).toMatch(/#s1/))
    fireEvent.input(field('Say something (optional)'), { target: { value: ' Look at b. ' } })
    const said = async () => {
      const read = await decodeLink(field('Link').value.split('#')[1] ?? '')
      return read.ok && read.shared.message
    }
    await vi.waitFor(async () => expect(await said()).toBe('Look at b.'))
    await act(() => on.session.clear())
    expect(field('Say something (optional)').value).toBe('')
  })

  it('has nothing to hand out while nothing is open', async () => {
    await on.session.clear()
    on.show(<Share />)
    await vi.waitFor(() => screen.getByText('There is nothing to share yet.'))
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('says why it could not be made', async () => {
    await show(Promise.reject(new Error('The worker is gone.')))
    screen.getByText('The worker is gone.')
  })

  it('is a file where a link would be too long', async () => {
    await show({ kind: 'file' })
    screen.getByText(/too large for a link/)
    expect(screen.queryByRole('textbox', { name: 'Link' })).toBeNull()
    control('button', 'Save file')
    const saved = vi.spyOn(on.actions.share, 'export').mockResolvedValue()
    press('Save file')
    expect(saved).toHaveBeenCalledOnce()
  })

  it('names the step that it opens at', async () => {
    await act(() => on.actions.solver.run())
    await show(link)
    screen.getByText(/solver and options at step 100,/)
  })
})

describe('the link', () => {
  it('is chosen at once, and copied with its button', async () => {
    willing()
    await show(link)
    expect(document.activeElement).toBe(field('Link'))
    expect(field('Link').selectionEnd).toBe(field('Link').value.length)
    screen.getByText(new RegExp(`^${field('Link').value.length} characters\\.`))
    press('Copy link')
    await on.settle()
    expect(copied).toEqual([field('Link').value])
    screen.getByText('Copied.')
  })

  it('stays chosen, to be copied by hand, where the browser does not copy', async () => {
    clipboard(() => Promise.reject(new Error('denied')))
    await show(link)
    control('button', 'Copy link').focus()
    press('Copy link')
    await on.settle()
    screen.getByText('The browser does not let the page copy: press Ctrl+C.')
    expect(document.activeElement).toBe(field('Link'))
  })
})

describe('the code that embeds', () => {
  it('is a frame of the chosen size and theme', async () => {
    await show(link)
    expect([src().getAttribute('width'), src().getAttribute('height')]).toEqual(['800', '520'])
    expect(src().getAttribute('src')).toContain('#s1.ABC&embed=1')
    expect(src().getAttribute('src')).not.toContain('theme')
    fireEvent.change(control('combobox', 'Size'), { target: { value: '100%x480' } })
    fireEvent.change(control('combobox', 'Theme'), { target: { value: 'dark' } })
    expect([src().getAttribute('width'), src().getAttribute('height')]).toEqual(['100%', '480'])
    expect(src().getAttribute('src')).toContain('&theme=dark')
  })

  it('is whole whatever the problem is called', async () => {
    const name = 'a"><script>&amp;.csv'
    act(() => {
      const now = workbench.opened.get()
      if (now !== null) workbench.opened.set({ ...now, source: { kind: 'text', name } })
    })
    await show(link)
    expect(src().title).toBe(`Arenascope: ${name}`)
    expect(src().parentElement?.childElementCount).toBe(1)
  })

  it('is copied with its button', async () => {
    willing()
    await show(link)
    press('Copy code')
    await on.settle()
    expect(copied).toEqual([field('Embed code').value])
  })
})

describe('the result in words', () => {
  it('is copied with the link', async () => {
    willing()
    await act(() => on.actions.solver.run())
    await show(link)
    press('Copy as Markdown')
    await vi.waitFor(() => expect(copied.length).toBe(1))
    expect(copied[0]).toContain(field('Link').value)
  })
})
