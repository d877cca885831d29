/** What is taken along: at every size, in both themes. */
import { expect } from 'vitest'
import { everywhere } from './everywhere'
import { copied } from '../support/user_input'

everywhere([
  {
    name: 'a link with a message, marks and their notes',
    async use(hand) {
      const { page } = hand
      await hand.step(8)
      await hand.press(page.locator('.watch-button'))
      await hand.button('Mark step 8')
      await hand.fill(page.getByLabel('Note on step 8'), 'look')
      await page.keyboard.press('Enter')
      await hand.button('Close marks and stops')
      await hand.button('Share')
      const dialog = await hand.dialog('Share')
      await hand.fill(dialog.getByLabel('Say something (optional)'), 'mind the gap')
      await hand.button('Copy link', dialog)
      await dialog.getByText('Copied.').waitFor()
      const link = await copied(page)
      await hand.closeDialog()
      const there = await hand.elsewhere(link)
      const other = there.page
      const said = other.getByRole('region', { name: 'Said along the way' })
      await said.getByText('mind the gap').waitFor()
      await there.press(said.getByRole('button', { name: 'Next' }))
      await said.getByText('look').waitFor()
      await there.setup()
      await other.getByText('Reproduced exactly').waitFor()
      await expect.poll(() => there.at()).toBe(8)
      await there.press(other.locator('.watch-button'))
      await expect.poll(() => other.getByLabel('Note on step 8').inputValue()).toBe('look')
      await other.close()
    },
  },
  {
    name: 'the embedded page and its snippet',
    async use(hand) {
      const { page } = hand
      await hand.button('Share')
      await hand.button('Copy code')
      await expect.poll(() => copied(page)).toMatch(/^<iframe src="[^"]+embed=1/)
      await hand.closeDialog()
      const src = (/ src="([^"]*)"/.exec(await copied(page))?.[1] ?? '').replaceAll('&amp;', '&')
      const inner = await hand.elsewhere(src)
      await inner.page.locator('.embed-told .prose').waitFor()
      await inner.whole(inner.page.locator('.app'))
      await inner.page.close()
    },
  },
  {
    name: 'a search file, saved and opened',
    async use(hand) {
      const { page } = hand
      const file = await hand.download(() => hand.menu('Export', /^Search file/))
      expect(file.name).toMatch(/\.arenascope\.json$/)
      await hand.example(/^Five buffers/)
      const setup = await hand.setup()
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), hand.button('File…', setup)])
      await chooser.setFiles({ name: file.name, mimeType: 'application/json', buffer: file.bytes })
      await hand.setup()
      await page.getByText('Reproduced exactly').waitFor()
      await expect.poll(() => hand.at()).toBe(8)
    },
  },
  {
    name: 'the plan as CSV, JSON and C header',
    async use(hand) {
      const csv = await hand.download(() => hand.menu('Export', /^CSV with offsets/))
      expect(csv.text).toMatch(/^id,lower,upper,size.*offset/)
      const json = await hand.download(() => hand.menu('Export', /^JSON/))
      expect(JSON.parse(json.text).buffers.length).toBe(9)
      const header = await hand.download(() => hand.menu('Export', /^C header/))
      expect(header.text).toMatch(/#ifndef \w+[\s\S]+offset/i)
    },
  },
  {
    name: 'figures: SVG, PNG and TikZ',
    async use(hand) {
      await hand.menu('Export', /^Figure/)
      const dialog = await hand.dialog('Export figure')
      expect((await hand.download(() => hand.button('Save SVG', dialog))).text).toContain('</svg>')
      expect((await hand.download(() => hand.button('Save TikZ', dialog))).text).toContain('\\end{tikzpicture}')
      const png = await hand.download(() => hand.button('Save PNG', dialog))
      expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
      await hand.closeDialog()
    },
  },
  {
    name: 'a film',
    async use(hand) {
      await hand.menu('Export', /^Film/)
      const dialog = await hand.dialog('Export film')
      await hand.fill(dialog.getByLabel('Last step'), '2')
      await dialog.getByLabel('Last step').press('Enter')
      await dialog.getByLabel('Size').selectOption('854x480')
      const film = await hand.download(() => hand.button('Make film', dialog))
      expect(film.bytes.readUInt32BE(0)).toBe(0x1a45dfa3)
      await hand.closeDialog()
    },
  },
])
