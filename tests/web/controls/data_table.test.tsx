/** Tables of results: their heads sort, and they go along as Markdown or CSV, or as a file where the page may not copy. */
import { useState } from 'preact/hooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CopyTable, DataTable } from '../../../web/src/panels/controls/data_table'
import { type Column, type Order, ordered } from '../../../web/src/state/compare/table'
import { sortOf, tableRows } from '../support/grid'
import { control, press, screen, stand, until } from '../support/stand'

const on = stand()

interface Run {
  name: string
  steps: number | null
}

const COLUMNS: Column<Run>[] = [
  { id: 'name', title: 'Solver', number: false, value: ({ name }) => name, shown: ({ name }) => name },
  {
    id: 'steps',
    title: 'Steps',
    number: true,
    value: ({ steps }) => steps,
    shown: ({ steps }) => (steps === null ? '–' : `${steps / 1000} k`),
  },
]
const RUNS: Run[] = [
  { name: 'b|c', steps: 2500 },
  { name: 'lost', steps: null },
  { name: 'a', steps: 10_000 },
]

function Runs({ runs = RUNS }: { runs?: Run[] }) {
  const [order, setOrder] = useState<Order | null>(null)
  const rows = ordered(runs, COLUMNS, order)
  return (
    <>
      <DataTable
        name="Runs"
        columns={COLUMNS}
        rows={rows}
        order={order}
        setOrder={setOrder}
        rowKey={({ name }) => name}
        cell={({ name }, { id }) => (id === 'steps' && name === 'a' ? <b>ten thousand</b> : null)}
      />
      <CopyTable columns={COLUMNS} rows={rows} file="x.runs" />
    </>
  )
}

const names = () => tableRows('Runs').map(([name]) => name)
let copied: string[] = []
let saved: { name: string; text: Promise<string> }[] = []

function clipboard(writeText: (text: string) => Promise<void>) {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as Clipboard)
}

beforeEach(() => {
  copied = []
  saved = []
  clipboard(async (text) => void copied.push(text))
  let last = new Blob()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    last = blob as Blob
    return 'blob:x'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: last.text() })
  })
})

afterEach(() => vi.restoreAllMocks())

describe('a table of results', () => {
  it('shows two hundred rows of many, and more when asked; all are sorted and copied', async () => {
    const many = Array.from({ length: 450 }, (_, k) => ({ name: `run ${String(k).padStart(3, '0')}`, steps: k }))
    on.show(<Runs runs={many} />)
    expect(names()).toHaveLength(200)
    await press('Show 200 more of 450 rows')
    expect(names()).toHaveLength(400)
    await press(/^Solver/)
    await press(/^Solver/)
    expect(names()[0]).toBe('run 449')
    await press(/Markdown/)
    expect(copied[0]).toContain('run 000')
    await press('Show 50 more of 450 rows')
    expect(names()).toHaveLength(450)
    expect(screen.queryByText(/^Show/)).toBe(null)
  })

  it('shows rows as they came, each with its first cell as its head, and a cell of its own where there is one', () => {
    on.show(<Runs />)
    expect(tableRows('Runs')).toEqual([
      ['b|c', '2.5 k'],
      ['lost', '–'],
      ['a', 'ten thousand'],
    ])
    expect(screen.getAllByRole('rowheader').map((head) => head.textContent)).toEqual(['b|c', 'lost', 'a'])
  })

  it('sorts up, then down, then as the rows came, and says so at the head', () => {
    on.show(<Runs />)
    expect([sortOf('Solver'), sortOf('Steps')]).toEqual(['none', 'none'])
    press('Steps')
    expect(names()).toEqual(['b|c', 'a', 'lost'])
    expect([sortOf('Solver'), sortOf('Steps')]).toEqual(['none', 'ascending'])
    press('Steps')
    expect(names()).toEqual(['a', 'b|c', 'lost'])
    expect(sortOf('Steps')).toBe('descending')
    press('Steps')
    expect(names()).toEqual(['b|c', 'lost', 'a'])
    expect(sortOf('Steps')).toBe('none')
  })

  it('begins upwards at a head that was not sorted by', () => {
    on.show(<Runs />)
    press('Steps')
    press('Steps')
    press('Solver')
    expect(names()).toEqual(['a', 'b|c', 'lost'])
    expect([sortOf('Solver'), sortOf('Steps')]).toEqual(['ascending', 'none'])
  })

  it('can be scrolled by keys', () => {
    on.show(<Runs />)
    expect(control('region', 'Table: Runs').tabIndex).toBe(0)
  })
})

describe('taking a table along', () => {
  it('copies Markdown in the order shown, as people read it', async () => {
    on.show(<Runs />)
    press('Solver')
    press('Copy Markdown')
    await on.settle()
    expect(copied).toEqual(['| Solver | Steps |\n| :--- | ---: |\n| a | 10 k |\n| b\\|c | 2.5 k |\n| lost | – |\n'])
    expect(control('status', '').textContent).toBe('Copied.')
  })

  it('copies CSV to the last digit', async () => {
    on.show(<Runs />)
    press('Copy CSV')
    await on.settle()
    expect(copied).toEqual(['name,steps\nb|c,2500\nlost,\na,10000\n'])
  })

  it('takes a CSV of the table’s own where there is one', async () => {
    on.show(<CopyTable columns={COLUMNS} rows={RUNS} file="x" csv={() => 'long\n'} />)
    press('Copy CSV')
    await on.settle()
    expect(copied).toEqual(['long\n'])
  })

  it('has nothing to take along without rows', () => {
    on.show(<Runs runs={[]} />)
    expect(control('button', 'Copy Markdown')).toHaveProperty('disabled', true)
    expect(control('button', 'Copy CSV')).toHaveProperty('disabled', true)
  })

  it('saves a file where the page may not copy, and says so', async () => {
    clipboard(() => Promise.reject(new Error('denied')))
    on.show(<Runs />)
    press('Copy CSV')
    await until(() => expect(saved).toHaveLength(1))
    expect(saved[0]?.name).toBe('x.runs.csv')
    expect(await saved[0]?.text).toBe('name,steps\nb|c,2500\nlost,\na,10000\n')
    await on.settle()
    screen.getByText('The browser does not let the page copy: it was saved as a file.')
    press('Copy Markdown')
    await on.settle()
    expect(saved.map(({ name }) => name)).toEqual(['x.runs.csv', 'x.runs.md'])
  })
})
