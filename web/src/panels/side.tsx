import { Later } from '../base/later'
import { useValue } from '../base/use_value'
import { type Tab, tab } from '../state/ui'
import { useActions } from './context'
import { Part } from './part'
import { StepTab } from './step'

const stats = new Later(() => import('./stats'))
const buffers = new Later(() => import('./buffers'))

export const TABS: [Tab, string][] = [
  ['step', 'Step'],
  ['stats', 'Stats'],
  ['buffers', 'Buffers'],
]

export function TabPanel() {
  const now = useValue(tab)
  return (
    <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${now}`}>
      {now === 'step' && <StepTab />}
      {now === 'stats' && <Part of={stats}>{({ StatsTab }) => <StatsTab />}</Part>}
      {now === 'buffers' && <Part of={buffers}>{({ BuffersTab }) => <BuffersTab />}</Part>}
    </div>
  )
}

export function Side() {
  const actions = useActions()
  const now = useValue(tab)
  const turn = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    const at = TABS.findIndex(([id]) => id === now)
    const [next] = TABS[(at + by + TABS.length) % TABS.length] ?? ['step' as const]
    actions.showTab(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <aside class="side" aria-label="The search in words and numbers">
      <div class="tabs" role="tablist" aria-label="Views" onKeyDown={turn} tabIndex={-1}>
        {TABS.map(([id, title]) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === now}
            aria-controls="tab-panel"
            tabIndex={id === now ? 0 : -1}
            onClick={() => actions.showTab(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <TabPanel />
    </aside>
  )
}
