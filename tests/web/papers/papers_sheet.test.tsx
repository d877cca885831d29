/** The papers' tables beside ours, as they are shown. */
import { expect, it } from 'vitest'
import { PapersSheet } from '../../../web/src/panels/papers/papers'
import { papers } from '../../../web/src/state/papers/papers'
import { screen, stand } from '../support/stand'

const on = stand()

it('cautions about times that were taken beside other work', async () => {
  const { figures } = await papers.get()
  const first = figures.find(({ busy }) => busy)
  on.show(<PapersSheet />)
  await on.part()
  expect(figures.indexOf(first as (typeof figures)[number])).toBe(0)
  expect(screen.getByText(first?.command ?? '').parentElement?.textContent).toMatch(
    /^Measured .*, beside other work, which makes times longer\.$/,
  )
})
