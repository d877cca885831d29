/** A problem that is long enough to be handled as a file. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ended, goTo, runIt, visitor } from '../support/browser'
import { problemFiles } from '../support/files'

const makeProblem = problemFiles()
const { arrive } = visitor()

const SHARED = 100_000

it('says why a problem that is too long is not edited', async () => {
  const file = await makeProblem('network', SHARED)
  const page = await arrive()
  page.setDefaultTimeout(60_000)
  await page.locator('#setup input[type=file]').setInputFiles(file)
  const edit = page.getByRole('toolbar', { name: 'Canvas' }).getByRole('button', { name: 'Edit the buffers' })
  await page.locator('button[aria-label="Edit the buffers"][title="Too long to be edited here"]').waitFor()
  expect(await edit.isDisabled()).toBe(true)
  await page.keyboard.press('e')
  await page.getByRole('alert').getByText('Too long to be edited here.').waitFor()
})

it('hands out a file where a link would be too long, and opens it again', async () => {
  const file = await makeProblem('network', SHARED)
  const page = await arrive()
  page.setDefaultTimeout(60_000)
  await page.locator('#setup input[type=file]').setInputFiles(file)
  await page
    .getByText(`${SHARED.toLocaleString('en')} buffers`)
    .first()
    .waitFor()
  await page.getByRole('combobox', { name: 'Solver' }).selectOption('first-fit')
  await runIt(page)
  // at this width: what is long is whole, and two numbers side by side stay two
  await page.setViewportSize({ width: 1280, height: 720 })
  const note = page.locator('#setup .section-note').first()
  expect(await note.evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
  const box = async (of: string) => page.locator(`.toolbar ${of}`).boundingBox()
  const [key, placed] = [await box('.ramp-key'), await box('.placed')]
  expect((placed?.x ?? 0) - (key?.x ?? 0) - (key?.width ?? 0)).toBeGreaterThanOrEqual(12)
  await goTo(page, 1234)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText('This problem is too large for a link.').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save file' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^many\.\d+\.arenascope\.json$/)
  const saved = `${file}.arenascope.json`
  await download.saveAs(saved)
  expect(JSON.parse(readFileSync(saved, 'utf8')).source.text).toBe(readFileSync(file, 'utf8'))
  const other = await arrive()
  other.setDefaultTimeout(60_000)
  await other.locator('#setup input[type=file]').setInputFiles(saved)
  await other.getByText('step 1,234', { exact: true }).waitFor()
  await ended(other)
  await other.getByText('Reproduced exactly').waitFor()
})
