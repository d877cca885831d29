/** The rules that discard decisions: their counts over a search, and what a rule says and who says so. */
import { describe, expect, it } from 'vitest'
import { RuleChip } from '../../../web/src/panels/step/rule_chip'
import { RuleCounts } from '../../../web/src/panels/search/rule_counts'
import { RULES } from '../support/rules'
import { control, fireEvent, key, press, screen, stand } from '../support/stand'

const on = stand()
const SECTION = {
  id: 'section',
  title: 'section bound',
  source: 'MiniMalloc 6.2, eq. 3',
  text: 'Its load is too much.',
}
const chip = () => control('button', 'section bound')
const tip = () => document.querySelector<HTMLElement>('[role=tooltip]') as HTMLElement
const shown = () => !tip().hidden

describe('a rule', () => {
  it('is described by what it says and the section of the paper that says so', () => {
    on.show(<RuleChip rule={SECTION} />)
    expect(chip().getAttribute('aria-describedby')).toBe(tip().id)
    expect([...tip().children].map((part) => part.textContent)).toEqual([
      'Section bound',
      'MiniMalloc §6.2, eq. 3',
      'Its load is too much.',
    ])
  })

  it('that no paper names follows from the problem', () => {
    on.show(<RuleChip rule={{ ...SECTION, source: '' }} />)
    expect(tip().textContent).toContain('A constraint of the problem')
  })

  it('says it while the pointer or the focus is on it', () => {
    on.show(<RuleChip rule={SECTION} />)
    expect(shown()).toBe(false)
    fireEvent.pointerEnter(chip(), { pointerType: 'mouse' })
    expect(shown()).toBe(true)
    fireEvent.pointerLeave(chip())
    expect(shown()).toBe(false)
    fireEvent.focus(chip())
    expect(shown()).toBe(true)
    fireEvent.blur(chip())
    expect(shown()).toBe(false)
  })

  it('is held open by a tap until the next one, wherever that is', async () => {
    on.show(<RuleChip rule={SECTION} />)
    fireEvent.pointerEnter(chip(), { pointerType: 'touch' })
    expect(shown()).toBe(false)
    fireEvent.click(chip())
    await on.settle()
    fireEvent.pointerDown(chip())
    expect(shown()).toBe(true)
    fireEvent.pointerDown(document.body)
    await on.settle()
    expect(shown()).toBe(false)
  })

  it('is shut by Esc, which goes no further then', () => {
    on.show(<RuleChip rule={SECTION} />)
    fireEvent.focus(chip())
    expect(key(chip(), 'Escape')).toBe(false)
    expect(shown()).toBe(false)
    expect(key(chip(), 'Escape')).toBe(true)
  })
})

describe('the counts by rule', () => {
  const counts = (some: Record<string, number>) => RULES.map((id) => some[id] ?? 0)
  const rows = () => [...document.querySelectorAll('dl > div')]

  it('name each rule that discarded something, with how much, and the sum of all', () => {
    on.show(<RuleCounts id="x" title="Discarded" counts={counts({ section: 1200, dominance: 3, hatless: 0 })} />)
    expect(
      rows().map((row) => [row.querySelector('dt button')?.textContent, row.querySelector('dd')?.textContent]),
    ).toEqual([
      ['section', '1,200'],
      ['dominance', '3'],
    ])
    screen.getByText('1,203, log scale')
  })

  it('draw the one that did most at full length, and keep the smallest to be seen', () => {
    on.show(<RuleCounts id="x" title="Discarded" counts={counts({ section: 1_000_000, dominance: 3 })} />)
    const shares = rows().map((row) => Number((row as HTMLElement).style.getPropertyValue('--share')))
    expect(shares[0]).toBe(1)
    expect(shares[1]).toBeGreaterThan(0.05)
    expect(shares[1]).toBeLessThan(0.5)
  })

  it('say that there is none, and do not count what no rule discarded', () => {
    on.show(<RuleCounts id="x" title="Discarded" counts={counts({ none: 7 })} />)
    screen.getByText('No decision was discarded.')
    expect(rows()).toHaveLength(0)
  })

  it('open what a rule says', () => {
    on.show(<RuleCounts id="x" title="Discarded" counts={counts({ hatless: 2 })} />)
    press('hatless')
    expect(shown()).toBe(true)
    expect(tip().textContent).toContain('The text of hatless.')
  })
})
