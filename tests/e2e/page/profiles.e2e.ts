/** Accelerator profiles: found and used by keyboard, drawn, shared, copied, changed, kept, and refused where they do not go. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../support/axe'
import { calm, ended, load, pixels, runIt, visitor } from '../support/browser'
import { wear } from '../support/themes'

const { visit, stay } = visitor()

/** Alive together; two do not fit one bank of the MAX78000, whose banks have 32 KiB. */
const WIDE = 'id,lower,upper,size\na,0,4,20000\nb,0,4,20000\nc,1,3,9001\n'

const button = (page: Page) => page.locator('.profile-button')
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Accelerator profiles' })
const capacity = (page: Page) => page.locator('#setup').getByLabel('Capacity', { exact: true }).first()

/** By keyboard alone. */
async function choose(page: Page, words: string): Promise<void> {
  await button(page).press('Enter')
  await page.getByLabel('Find a profile').fill(words)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.type)).toBe('radio')
  await page.keyboard.press('Enter')
}

async function heightShown(page: Page): Promise<string> {
  return (await page.locator('.fact', { hasText: 'Height' }).locator('dd').textContent()) ?? ''
}

describe('a profile', () => {
  it('is found, told of with who says so, used, and travels in a link', async () => {
    const page = await stay()
    await load(page, WIDE)
    await page.getByText('3 buffers').waitFor()
    await button(page).press('Enter')
    await page.getByLabel('Find a profile').fill('max78000')
    await page.getByText('MAX78000', { exact: true }).click()
    const banks = page.locator('.profile-fact', { hasText: 'Banks' })
    await banks.getByText('16 × 32 KiB').waitFor()
    await banks.getByText('documented').waitFor()
    await banks.getByText('ai8x-training').waitFor()
    await page.locator('.profile-fact', { hasText: 'Alignment' }).getByText('estimate').waitFor()
    await page.keyboard.press('Escape')
    await sheet(page).waitFor({ state: 'detached' })

    await runIt(page)
    const plain = await heightShown(page)
    await choose(page, 'max78000')
    await sheet(page).waitFor({ state: 'detached' })
    expect(await capacity(page).inputValue()).toBe('512 KiB')
    await page.getByText('banks of 32 KiB not crossed').waitFor()
    await runIt(page)
    // the second wide one begins with the second bank
    expect(await heightShown(page)).not.toBe(plain)
    expect(await heightShown(page)).toMatch(/^52,768 B/)

    await page.getByRole('button', { name: 'Share' }).click()
    const url = await page.getByLabel('Link', { exact: true }).inputValue()
    expect(url).toContain('#s1.')
    const other = await visit(url.slice(url.indexOf('#')))
    await other.getByText('Reproduced exactly').waitFor()
    expect(await button(other).textContent()).toContain('MAX78000')
    expect(await capacity(other).inputValue()).toBe('512 KiB')
  })

  it('of your own is copied, changed, drawn, kept and deleted', async () => {
    const page = await stay()
    await load(page, WIDE)
    await page.getByText('3 buffers').waitFor()
    await button(page).click()
    await page.getByLabel('Find a profile').fill('max78000')
    await page.getByRole('radiogroup', { name: 'Profiles' }).getByText('MAX78000', { exact: true }).click()
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await sheet(page).getByLabel('Name').fill('Bench board')
    await sheet(page).getByLabel('Capacity').fill('128 KiB')
    await sheet(page).getByLabel('Reserved').fill('256 KiB')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('leaves nothing').waitFor()
    await sheet(page).getByLabel('Reserved').fill('16 KiB')
    await sheet(page).getByLabel('Bank', { exact: true }).fill('0')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Use profile' }).click()
    await sheet(page).waitFor({ state: 'detached' })
    expect(await capacity(page).inputValue()).toBe('112 KiB')
    await calm(page)
    const without = await pixels(page)

    await button(page).click()
    await sheet(page).getByRole('button', { name: 'Edit' }).click()
    await sheet(page).getByLabel('Bank', { exact: true }).fill('16 KiB')
    await page.getByRole('button', { name: 'Save' }).click()
    // twenty thousand bytes are more than such a bank
    await page.getByRole('alert').getByText('Bench board does not take this problem: bank of “a” is 16,384').waitFor()
    await sheet(page).getByLabel('Bank', { exact: true }).fill('32 KiB')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.profile-fact', { hasText: 'Banks' }).waitFor()
    await page.keyboard.press('Escape')
    await calm(page)
    expect(await pixels(page)).not.toEqual(without)

    await page.waitForTimeout(600)
    await page.reload()
    await page.getByText('3 buffers').waitFor()
    expect(await button(page).textContent()).toContain('Bench board')
    expect(await capacity(page).inputValue()).toBe('112 KiB')
    await button(page).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => page.getByText('Bench board').count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await button(page).textContent()).toBe('none')
    await runIt(page)
  })

  it('that does not go with the problem says so and changes nothing', async () => {
    const page = await stay()
    await load(page, 'id,lower,upper,size\nlarge,0,4,40000\n')
    await page.getByText('1 buffer,').waitFor()
    await choose(page, 'max78000')
    await page.getByRole('alert').getByText('bank of “large” is 32,768').waitFor()
    await page.keyboard.press('Escape')
    await sheet(page).waitFor({ state: 'detached' })
    expect(await button(page).textContent()).toBe('none')
    await runIt(page)
  })

  it.each(['dark', 'light'] as const)('has names and contrasts that hold in the %s theme', async (theme) => {
    const page = await stay()
    await wear(page, theme)
    await choose(page, 'ethos-u65')
    await sheet(page).waitFor({ state: 'detached' })
    await button(page).click()
    await page.locator('.profile-fact').first().waitFor()
    await calm(page)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Duplicate' }).click()
    expect(await violations(page)).toEqual([])
  })

  it('fits a phone', async () => {
    const page = await visit('', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    await ended(page)
    await page.locator('.tab-bar').getByText('Setup').tap()
    await button(page).tap()
    await page.getByLabel('Find a profile').fill('pixel')
    await page.getByText('Google Pixel 6').tap()
    await page.getByRole('button', { name: 'Use profile' }).tap()
    await sheet(page).waitFor({ state: 'detached' })
    expect(await page.locator('.sheet').getByLabel('Capacity', { exact: true }).first().inputValue()).toBe('2,048 KiB')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
