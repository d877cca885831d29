// biome-ignore-all lint/a11y/useSemanticElements: buttons of one choice
/** The Tree tab: the decisions on the path to the step shown, what was tried beside them, and what is still open. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { thousands } from '../../base/format'
import { memo } from '../../base/memo'
import { useValue } from '../../base/use_value'
import { TreeView } from '../../draw/tree/tree_view'
import { shadesOf } from '../../layout/canvas/shade'
import { layTree, type TreeMark } from '../../layout/tree/tree'
import { foldAll, LARGEST, RECENT, TreeWatch } from '../../run/tree/tree'
import { scene, stats, frame, run } from '../../state/workbench'
import * as t from '../../state/tree/tree'
import { theme } from '../../state/ui'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { RuleCounts } from '../search/rule_counts'
import { TreeBubble, TreeLegend } from './tree_bits'
import { TreeList } from './tree_list'
import { treeInput, useWords, wordsOf } from './tree_input'
import { useRead } from '../controls/use_read'
import '../../styles/later'

/** Takes a mark: to its step, or shows more of what it stands for. */
function usePick(watch: TreeWatch | null, say: (text: string) => void) {
  const actions = useActions()
  return (mark: TreeMark) => {
    switch (mark.kind) {
      case 'above':
        t.moreLevels()
        break
      case 'fold':
        t.unfoldRun(mark.level)
        break
      case 'more':
        t.moreAttempts()
        break
      case 'unknown':
        watch?.lookFurther()
        break
      case 'subtree':
        if (mark.count > LARGEST && !mark.unfolded) say(`Only subtrees of at most ${thousands(LARGEST)} steps unfold.`)
        else if (mark.attempt !== null) void watch?.unfold(mark.attempt, mark.level)
        break
      default:
        if (mark.step >= 0) actions.player.seek(mark.step)
    }
  }
}

function Canvas({ watch, say }: { watch: TreeWatch | null; say: (text: string) => void }) {
  const actions = useActions()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<TreeView | null>(null)
  const [moved, setMoved] = useState(false)
  const [at, setAt] = useState<{ mark: TreeMark; x: number; y: number } | null>(null)
  const pick = usePick(watch, say)
  const picked = useRef(pick)
  picked.current = pick
  useEffect(() => {
    if (host.current === null) return
    const light = (mark: TreeMark | null) =>
      actions.canvas.light(mark !== null && mark.buffer >= 0 ? [mark.buffer] : [], -1)
    let width = 0
    const made = new TreeView(
      host.current,
      {
        hover: (mark, x, y) => {
          light(mark)
          setAt(mark === null ? null : { mark, x, y })
        },
        pick: (mark) => picked.current(mark),
        select: (mark) => {
          light(mark)
          say(mark === null ? '' : wordsOf(mark))
        },
        moved: () => setMoved(true),
      },
      (now) => {
        if (now === width) return
        width = now
        lay()
      },
    )
    view.current = made
    // what is lit changes the scene and not the tree: a layout is kept, and with it what is selected in it
    const laid = memo((known: t.TreeKnown, at: number, ..._: unknown[]) => {
      const input = treeInput(known, at)
      return input === null ? null : layTree(input)
    })
    const update = () => {
      const known = t.tree.get()
      if (known.kind !== 'known' || known.known.path === null) return
      const shown = scene.get()
      const layout = laid(known.known, made.width, t.unfoldedRuns.get(), t.subtrees.get())
      if (layout === null) return
      const shades = shown === null ? null : shadesOf(shown)
      const { step, depth } = known.known.path
      const label = `Search tree at step ${thousands(step)}, ${thousands(depth)} levels`
      made.update({ layout, shades, theme: theme.get(), label })
    }
    const lay = () => view.current !== null && update()
    const exits = [t.tree, t.unfoldedRuns, t.subtrees, theme, scene].map((source) => source.subscribe(update))
    update()
    return () => {
      for (const exit of exits) exit()
      light(null)
      view.current = null
      made.dispose()
    }
  }, [])
  return (
    <>
      <div class="tree-canvas">
        <div class="tree-host" ref={host} />
        <div class="tree-zoom">
          {moved && (
            <button
              type="button"
              class="button"
              onClick={() => {
                setMoved(false)
                view.current?.follow()
              }}
            >
              Follow the step
            </button>
          )}
          <Tool icon="minus" name="Zoom out of the tree" act={() => view.current?.zoom(1 / 1.5)} />
          <Tool icon="plus" name="Zoom into the tree" act={() => view.current?.zoom(1.5)} />
          <Tool icon="fit" name="Show the whole tree" act={() => view.current?.fit()} />
        </div>
      </div>
      {at !== null && <TreeBubble mark={at.mark} x={at.x} y={at.y} />}
    </>
  )
}

function Tool({ icon, name, act }: { icon: 'minus' | 'plus' | 'fit'; name: string; act: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={name} title={name} onClick={act}>
      <I name={icon} />
    </button>
  )
}

function Tools() {
  const near = useValue(t.recent)
  const list = useValue(t.treeAsList)
  return (
    <div class="tree-tools">
      <div class="segments" role="group" aria-label="Show">
        <button type="button" aria-pressed={!near} onClick={() => t.showRecent(false)}>
          Around the path
        </button>
        <button type="button" aria-pressed={near} onClick={() => t.showRecent(true)}>
          Last {RECENT} steps
        </button>
      </div>
      <span class="spring" />
      <button type="button" class="button" onClick={foldAll}>
        Fold
      </button>
      <button type="button" class="button" aria-pressed={list} onClick={() => t.showAsList(!list)}>
        List
      </button>
    </div>
  )
}

/** What there is instead of a tree. */
function Instead({ children }: { children: string }) {
  return (
    <div class="tab-part">
      <p class="prose dim">{children}</p>
    </div>
  )
}

function Body({ watch, say }: { watch: TreeWatch | null; say: (text: string) => void }) {
  const state = useValue(t.tree)
  const kind = useValue(run).kind
  const list = useValue(t.treeAsList)
  const shown = useRead(frame)
  const pick = usePick(watch, say)
  if (kind === 'running') return <Instead>The search is under way: its tree stands here when it has ended.</Instead>
  if (state.kind === 'failed') return <Instead>{`The tree could not be read. ${state.message}`}</Instead>
  if (shown === null || kind === 'idle' || kind === 'failed')
    return <Instead>Run the solver: the tree of its decisions stands here.</Instead>
  if (shown.tried === null) return <Instead>No tree here: this solver does not branch.</Instead>
  if (state.kind === 'none') return <div class="tree-canvas" />
  return list ? <TreeList pick={pick} /> : <Canvas watch={watch} say={say} />
}

export function TreeTab() {
  const { session } = useActions()
  const [watch, setWatch] = useState<TreeWatch | null>(null)
  const [said, say] = useState('')
  const looking = useValue(t.treeLooking)
  const now = useValue(stats)
  const words = useWords()
  useEffect(() => {
    const made = new TreeWatch(session)
    made.start()
    setWatch(made)
    return () => made.stop()
  }, [session])
  return (
    <div class="tree-tab">
      <Tools />
      <Body watch={watch} say={say} />
      <p class="tree-said hint" role="status">
        {said !== '' ? said : looking ? 'Looking back…' : ''}
      </p>
      <TreeLegend complete={words?.complete ?? true} />
      {now !== null && (
        <div class="tree-fates">
          <RuleCounts id="fates-head" title="Fates" counts={now.rules} />
        </div>
      )}
    </div>
  )
}
