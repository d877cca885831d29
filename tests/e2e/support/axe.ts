/** What axe finds wrong with a page. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface Axe {
  run(
    context: string,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string; any: { data: unknown }[] }[] }[] }>
}

/** A and AA of WCAG 2.1. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21aa']
/** What another theme can change: it has the same elements. */
export const COLOURS = ['color-contrast', 'link-in-text-block']

/** One line for each rule that is broken. rules: tags or names, all that axe has if none are told. within: what lies under a dialog is out of reach. */
export async function violations(page: Page, rules?: string[], within?: string): Promise<string[]> {
  // the page's own policy forbids foreign scripts; the checker comes in beside it
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await readFile(axePath, 'utf8'))
  return page.evaluate(
    async ([rules, within]) => {
      const { axe } = globalThis as unknown as { axe: Axe }
      const { violations: all } = await axe.run(
        within ?? (document.querySelector('dialog[open]') === null ? 'html' : 'dialog[open]'),
        {
          ...(rules === undefined ? {} : { runOnly: rules }),
          resultTypes: ['violations'],
          // it would read the style sheets again for each look, for a rule that is off, and media, of which there are none
          preload: false,
        },
      )
      return all.map(
        (v) =>
          `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160) + JSON.stringify(n.any[0]?.data ?? '')).join(' | ')}`,
      )
    },
    [rules, within] as const,
  )
}
