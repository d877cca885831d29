/** What playing shall stop at: a kind of stop, and what it is about. */
import { useEffect, useId, useState } from 'preact/hooks'
import { thousands } from '../../base/format'
import { useValue } from '../../base/use_value'
import { gutterLeft, gutterRight } from '../../layout/canvas/spaces'
import { addStop } from '../../run/marks/marking'
import { manifest } from '../../state/atoms'
import { candidate, stats, frame, opened, pinned } from '../../state/workbench'
import { STOP_LIMIT, STOP_STEPS, type StopWhat } from '../../state/marks/marks'
import { parseCount } from '../../state/page/quantity'
import { conditionOf } from '../../state/marks/stop_words'
import { viewport } from '../../state/ui'
import { eventsAt } from '../../state/workbench_values'

type Kind = StopWhat['what']

const KINDS: [Kind, string][] = [
  ['placed', 'A buffer is placed'],
  ['tried', 'A buffer is tried in vain'],
  ['undone', 'A buffer is taken back'],
  ['deeper', 'Depth exceeds'],
  ['rule', 'A rule discards'],
  ['section', 'A section’s bound passes the capacity'],
  ['step', 'A step of a kind'],
]
const STEP_NAMES: Record<(typeof STOP_STEPS)[number], string> = {
  backtrack: 'Backtrack',
  major: 'Major backtrack',
  restart: 'Restart',
  reject: 'Rejection',
  skip: 'Candidates passed over',
}
const LABELS: Record<Kind, string> = {
  placed: 'Buffer',
  tried: 'Buffer',
  undone: 'Buffer',
  deeper: 'Buffers placed',
  rule: 'Rule',
  section: 'Section',
  step: 'Kind',
}

/** The stop that a text or a choice stands for, or what is wrong with it. */
function read(what: Kind, text: string): StopWhat | { why: string } {
  if (what === 'deeper' || what === 'section') {
    const parsed = parseCount(text, 0, Number.MAX_SAFE_INTEGER)
    if (!parsed.ok) return { why: parsed.message }
    return what === 'deeper' ? { what, than: parsed.value } : { what, section: parsed.value }
  }
  if (what === 'rule') return { what, rule: text }
  if (what === 'step') return { what, event: STOP_STEPS.find((id) => id === text) ?? 'backtrack' }
  const id = text.trim()
  return id === '' ? { why: 'Type the id of a buffer.' } : { what, buffer: id }
}

/** What a newcomer most likely means: the buffer looked at, the section that the step speaks of or the fullest, the rule that discards most. */
function useFirst(what: Kind): string {
  const problem = useValue(opened)?.problem
  const now = useValue(candidate)?.buffer ?? -1
  const chosen = useValue(pinned)
  const shown = useValue(frame)
  const last = shown?.undone.at(-1)?.buffer ?? shown?.stack.at(-1)
  const overfull = eventsAt(shown)
    .filter((event) => event.kind === 'reject')
    .find(({ section }) => section < (problem?.sections.count ?? 0))?.section
  const counts = useValue(stats)?.rules ?? []
  const rules = useValue(manifest)?.rules ?? []
  switch (what) {
    case 'deeper':
      return String(Math.floor((problem?.count ?? 0) / 2))
    case 'rule':
      return rules[counts.indexOf(Math.max(1, ...counts.slice(1)), 1)]?.id ?? rules[1]?.id ?? ''
    case 'section':
      return String(Math.max(0, overfull ?? problem?.peak ?? 0))
    case 'step':
      return 'backtrack'
    default:
      return problem?.ids.at(chosen >= 0 ? chosen : now >= 0 ? now : (last ?? 0)) ?? ''
  }
}

function RuleChoice({ id, value, set }: { id: string; value: string; set: (rule: string) => void }) {
  const counts = useValue(stats)?.rules ?? []
  const all = (useValue(manifest)?.rules ?? []).slice(1)
  const here = all.filter((_, k) => (counts[k + 1] ?? 0) > 0)
  const others = all.filter((rule) => !here.includes(rule))
  const options = (rules: typeof all) =>
    rules.map((rule) => (
      <option key={rule.id} value={rule.id}>
        {rule.title}
      </option>
    ))
  return (
    <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
      {here.length > 0 && <optgroup label="In this search">{options(here)}</optgroup>}
      {others.length > 0 && <optgroup label="Not in this search">{options(others)}</optgroup>}
    </select>
  )
}

/** The section under a point of the page: of the canvas or of the load strip below it, which share their time axis. */
function sectionAt(x: number, y: number): number {
  const view = viewport.get()
  const sections = opened.get()?.problem.sections
  const host = document
    .elementsFromPoint(x, y)
    .map((e) => e.closest('.load, .memory'))
    .find((e) => e !== null)
  if (view === null || sections === undefined || !host) return -1
  const box = host.getBoundingClientRect()
  const left = box.left + gutterLeft(box.width)
  const share = (x - left) / Math.max(1, box.width - gutterLeft(box.width) - gutterRight(box.width))
  const time = view.t0 + share * (view.t1 - view.t0)
  return sections.lower.findIndex((lower, k) => lower <= time && time < (sections.upper[k] ?? lower))
}

/** While it picks, the next click on the canvas or the load strip names a section. */
function PickSection({ set }: { set: (section: number) => void }) {
  const [picking, setPicking] = useState(false)
  useEffect(() => {
    if (!picking) return
    const end = new AbortController()
    const on = { signal: end.signal, capture: true }
    const take = (event: MouseEvent) => {
      const found = sectionAt(event.clientX, event.clientY)
      if (found < 0) return
      event.preventDefault()
      event.stopPropagation()
      if (event.type !== 'click') return
      set(found)
      setPicking(false)
    }
    for (const type of ['pointerdown', 'pointerup', 'click'] as const) document.addEventListener(type, take, on)
    return () => end.abort()
  }, [picking])
  return (
    <button type="button" class="button" aria-pressed={picking} onClick={() => setPicking(!picking)}>
      {picking ? 'Click a time on the canvas' : 'Pick on the canvas'}
    </button>
  )
}

export function StopForm() {
  const id = useId()
  const [what, setWhat] = useState<Kind>('placed')
  const [typed, setTyped] = useState<string | null>(null)
  const [wrong, setWrong] = useState('')
  const first = useFirst(what)
  const problem = useValue(opened)?.problem
  const known = useValue(manifest)
  const text = typed ?? first
  const change = (next: string | null) => {
    setTyped(next)
    setWrong('')
  }
  const add = () => {
    if (problem === undefined || known === null) return
    const stop = read(what, text)
    const found = 'why' in stop ? stop : conditionOf(stop, problem, known)
    if ('why' in found) setWrong(found.why)
    else if (addStop(stop as StopWhat)) change(null)
    else setWrong(`There are ${STOP_LIMIT} stops. Delete one to make room.`)
  }
  return (
    <form
      class="stop-form"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <label for={`${id}-what`}>Stop when</label>
      <select
        id={`${id}-what`}
        value={what}
        onChange={(event) => {
          setWhat(event.currentTarget.value as Kind)
          change(null)
        }}
      >
        {KINDS.map(([kind, title]) => (
          <option key={kind} value={kind}>
            {title}
          </option>
        ))}
      </select>
      <label for={`${id}-value`}>{LABELS[what]}</label>
      <span class="row">
        {what === 'rule' ? (
          <RuleChoice id={`${id}-value`} value={text} set={change} />
        ) : what === 'step' ? (
          <select id={`${id}-value`} value={text} onChange={(event) => change(event.currentTarget.value)}>
            {STOP_STEPS.map((step) => (
              <option key={step} value={step}>
                {STEP_NAMES[step]}
              </option>
            ))}
          </select>
        ) : (
          <input
            id={`${id}-value`}
            type="text"
            class="input mono"
            autocomplete="off"
            spellcheck={false}
            value={text}
            aria-invalid={wrong !== ''}
            aria-describedby={wrong === '' ? undefined : `${id}-why`}
            onInput={(event) => change(event.currentTarget.value)}
          />
        )}
        {what === 'section' && <PickSection set={(section) => change(thousands(section))} />}
        <button type="submit" class="button">
          Add
        </button>
      </span>
      {wrong !== '' && (
        <p class="field-why" id={`${id}-why`} role="alert">
          {wrong}
        </p>
      )}
    </form>
  )
}
