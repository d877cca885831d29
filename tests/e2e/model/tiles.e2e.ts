/** Tasks on tiles: opened, run, stepped and shared; played on the canvas; against whole tensors; made of a model. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { calm, ended, linkOf, load, pixels, totalSteps, visitor, digest } from '../support/browser'
import { playable } from '../support/user_input'

const { visit, arrive, stay } = visitor()

const CHAIN = readFileSync(fileURLToPath(new URL('../../../examples/tiles.csv', import.meta.url)), 'utf8')
const GRAPH = `tensor,image,16384,input,1,1x16x32x32,int8,NCHW
tensor,edges,16384,,1,1x16x32x32,int8,NCHW
tensor,blur,16384,,1,1x16x32x32,int8,NCHW
tensor,out,16384,output,1,1x16x32x32,int8,NCHW
op,relu1,Relu,image,edges,,,,1 1 1 1
op,relu2,Relu,edges,blur,,,,1 1 1 1
op,relu3,Relu,blur,out,,,,1 1 1 1
`

const tab = (page: Page) => page.getByRole('tab', { name: 'Tiles' })
const run = (page: Page) => page.getByRole('button', { name: /^Run( again)?$/ }).first()

describe('tiles', () => {
  it('are opened from a list of tasks, run, gone through, shared and kept', async () => {
    const page = await stay()
    await load(page, CHAIN)
    await run(page).click()
    await ended(page)
    const steps = await totalSteps(page)
    expect(steps).toBeGreaterThan(50)
    await page.getByText('9.5 KiB').first().waitFor()
    const ours = await digest(page)
    const link = await linkOf(page)
    const again = await visit(link.slice(link.indexOf('#')))
    await playable(again)
    await again.getByText('Reproduced exactly').waitFor()
    expect(await totalSteps(again)).toBe(steps)
    expect(await digest(again)).toBe(ours)
    await again.reload()
    await tab(again).waitFor()
  })

  it('refuse a list with mistakes, by line', async () => {
    const page = await arrive()
    await load(page, 'tiled,a,1,4x1\ntask,s,a@0:9x0:1,\n')
    await page.getByText(/1 error/).waitFor()
    await page
      .getByText(/expected/)
      .first()
      .waitFor()
  })

  it('light up while the schedule plays, fall into fragments, and are held against whole tensors', async () => {
    const page = await stay()
    await load(page, CHAIN)
    await run(page).click()
    await ended(page)
    await tab(page).click()
    const slider = page.getByRole('slider', { name: 'Task' })
    await slider.fill('0')
    await calm(page)
    const [first] = await pixels(page, '.memory-map')
    await slider.fill('12')
    await page.locator('.tile-task', { hasText: 'conv2:4' }).waitFor()
    await page.getByText('conv1 · 2 KiB').waitFor()
    await page.getByText('conv2 · 1 KiB').waitFor()
    await page.getByRole('heading', { name: 'Fragments of conv2' }).waitFor()
    await calm(page)
    expect((await pixels(page, '.memory-map'))[0]).not.toBe(first)
    await page.getByRole('img', { name: 'Tiles of task 13, conv2:4' }).waitFor()
    await page.locator('.tile-transport').getByRole('button', { name: 'Play' }).click()
    await page.locator('.tile-transport').getByRole('button', { name: 'Pause' }).click()

    await page.getByRole('button', { name: 'Compare them' }).click()
    await page.getByText(/Tiles save 40\.6 %: 9\.5 KiB \(proven least\) where whole tensors take 16 KiB/).waitFor()
    await page.getByRole('img', { name: 'Tiles: 9.5 KiB, Whole: 16 KiB' }).waitFor()
  })

  it('are made of a model, in the order that is asked for; an operator that is too large is named', async () => {
    const page = await stay()
    await load(page, GRAPH)
    await page.getByRole('tab', { name: 'Model' }).click()
    const chip = page.getByRole('textbox', { name: 'On the chip' })
    await chip.fill('1')
    await chip.press('Enter')
    await page.getByRole('button', { name: 'Open the tasks' }).click()
    await page.getByRole('alert').filter({ hasText: 'relu1' }).waitFor()
    await chip.fill('4096')
    await chip.press('Enter')
    await page
      .locator('section', { has: page.getByRole('heading', { name: 'Tiles' }) })
      .getByRole('combobox', { name: 'Order' })
      .selectOption('depth')
    await page.getByRole('button', { name: 'Open the tasks' }).click()
    await page.getByRole('heading', { name: 'All memory' }).waitFor()
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    await page.getByText('2 buffers').first().waitFor()
  })
})
