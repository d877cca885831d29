/** The user's actions by the browser's own mouse and keys, which meet what lies above a control, and lose the focus as a person does. */
import type { Page } from 'playwright-core'
import type { Action, Done, Place } from './actions'

const NAMES: Record<string, string> = { ' ': 'Space', '+': '+' }
const keyOf = (name: string) => NAMES[name] ?? name.replace('Ctrl+', 'Control+')

async function typed(page: Page, { value }: Action): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(value)
  if (value.length % 2 === 0) await page.keyboard.press('Enter')
}

async function chosen(page: Page, { value }: Action): Promise<void> {
  for (let k = Number(value) % 7; k >= 0; k--) await page.keyboard.press(k % 2 ? 'ArrowDown' : 'Home')
}

async function drag(page: Page, { value }: Action, box: Place): Promise<void> {
  const [x = 0, y = 0, by = 0] = value.split(' ').map(Number)
  const at = [box.x + (x / 100 - 0.5) * box.width, box.y + (y / 100 - 0.5) * box.height] as const
  await page.mouse.move(...at)
  await page.mouse.down()
  await page.mouse.move(at[0] + (by / 400) * box.width, at[1], { steps: 2 })
  await page.mouse.up()
}

const WAYS: Partial<Record<Action['kind'], (page: Page, action: Action, place: Place) => Promise<void>>> = {
  click: (page, _, { x, y }) => page.mouse.click(x, y),
  type: typed,
  choose: chosen,
  pointer: drag,
  wheel: async (page, { value }, { x, y }) => {
    await page.mouse.move(x, y)
    await page.mouse.wheel(0, Number(value))
  },
}

async function perform(page: Page, action: Action): Promise<void> {
  const way = WAYS[action.kind]
  if (action.kind === 'key') await page.keyboard.press(keyOf(action.on))
  // the clipboard and files are the page's own
  else if (way === undefined) await page.evaluate((one) => window.user.act({ seed: 0, count: 0, again: [one] }), action)
  else {
    const place = await page.evaluate((one) => window.user.placeOf(one), action)
    if (place !== null) await way(page, action, place)
  }
}

/** As User.act. */
export async function actReally(
  page: Page,
  given: { seed: number; count: number; again: Action[] | null },
): Promise<Done> {
  const actions: Action[] = []
  for (let k = 0; k < (given.again?.length ?? given.count); k++) {
    const action: Action = given.again?.[k] ?? {
      ...(await page.evaluate((seed) => window.user.draw(seed), given.seed + 7919 * k)),
      real: true,
    }
    actions.push(action)
    await perform(page, action)
  }
  return { actions, trouble: await page.evaluate(() => window.wrong?.join('; ') || window.user.broken()) }
}
