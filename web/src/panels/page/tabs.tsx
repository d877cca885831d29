import { Later } from '../../base/later'
import { useValue } from '../../base/use_value'
import { layered, opened, operators } from '../../state/workbench'
import { type Tab, tab } from '../../state/ui'
import type { Opened } from '../../state/workbench_values'
import { useActions } from './context'
import { Part } from '../controls/later_part'
import { sidePanel } from './first_parts'

const tree = new Later(() => import('../tree/tree'))
const beam = new Later(() => import('../search/beam'))
const stats = new Later(() => import('../search/stats'))
const buffers = new Later(() => import('../canvas/buffers'))
const model = new Later(() => import('../model/model'))
const graph = new Later(() => import('../model/graph'))
const tiles = new Later(() => import('../tiles/tiles'))

const TABS: [Tab, string][] = [
  ['step', 'Step'],
  ['tree', 'Tree'],
  ['stats', 'Stats'],
  ['buffers', 'Buffers'],
]
const MODEL_TABS: [Tab, string][] = [...TABS, ['model', 'Model'], ['graph', 'Graph']]

/** layered: a search in layers has a beam and no tree. more: moreTab's. */
export function tabsOf(model: boolean, layered = false, more: [Tab, string] | null = null): [Tab, string][] {
  const tabs: [Tab, string][] = model ? MODEL_TABS : more ? [...TABS, more] : TABS
  return layered ? tabs.map(([id, title]) => [id, id === 'tree' ? 'Beam' : title]) : tabs
}

/** Tasks have one more. */
export const moreTab = (now: Opened | null): [Tab, string] | null =>
  now?.problem.tasks === undefined ? null : ['tiles', 'Tiles']

/** A model has two more; what was looked at in them is gone with it. */
export function useTabs(): { tabs: [Tab, string][]; now: Tab } {
  const more = moreTab(useValue(opened))
  const tabs = tabsOf(useValue(operators) !== null, useValue(layered), more)
  const wanted = useValue(tab)
  return { tabs, now: tabs.some(([id]) => id === wanted) ? wanted : 'step' }
}

export function TabPanel() {
  const { now } = useTabs()
  const inLayers = useValue(layered)
  return (
    <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${now}`}>
      {now === 'step' && <Part of={sidePanel}>{({ StepTab }) => <StepTab />}</Part>}
      {now === 'tree' && inLayers && <Part of={beam}>{({ BeamTab }) => <BeamTab />}</Part>}
      {now === 'tree' && !inLayers && <Part of={tree}>{({ TreeTab }) => <TreeTab />}</Part>}
      {now === 'stats' && <Part of={stats}>{({ StatsTab }) => <StatsTab />}</Part>}
      {now === 'buffers' && <Part of={buffers}>{({ BuffersTab }) => <BuffersTab />}</Part>}
      {now === 'model' && <Part of={model}>{({ ModelTab }) => <ModelTab />}</Part>}
      {now === 'tiles' && <Part of={tiles}>{({ TilesTab }) => <TilesTab />}</Part>}
      {now === 'graph' && <Part of={graph}>{({ GraphTab }) => <GraphTab />}</Part>}
    </div>
  )
}

export function Side({ shut }: { shut: boolean }) {
  const actions = useActions()
  const { tabs, now } = useTabs()
  const turn = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    const at = tabs.findIndex(([id]) => id === now)
    const [next] = tabs[(at + by + tabs.length) % tabs.length] ?? ['step' as const]
    actions.page.showTab(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <aside class={`side${shut ? ' panel-shut' : ''}`} aria-label="The search in words and numbers">
      <div class="tabs" role="tablist" aria-label="Views" onKeyDown={turn} tabIndex={-1}>
        {tabs.map(([id, title]) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === now}
            aria-controls="tab-panel"
            tabIndex={id === now ? 0 : -1}
            onClick={() => actions.page.showTab(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <TabPanel />
    </aside>
  )
}
