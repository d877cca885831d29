/** For a wall: the canvas, what the step says in large type, and the search. The arrows step. */
import { useEffect } from 'preact/hooks'
import { useValue } from '../../base/use_value'
import { lesson, present } from '../../state/ui'
import { told } from '../../state/workbench'
import { useRead } from '../controls/use_read'
import { Pill } from '../controls/pill'
import { Prose } from '../step/prose'
import { STEP_ICONS } from '../step/step_icons'
import { CommandButton } from './command_button'
import '../../styles/later'

/** The screen as a whole, where the browser gives it. Leaving that by the browser's own key ends the mode. */
function useScreen(): void {
  useEffect(() => {
    let had = false
    const changed = () => {
      if (had && document.fullscreenElement === null) present(false)
      had = document.fullscreenElement !== null
    }
    document.addEventListener('fullscreenchange', changed)
    void document.documentElement.requestFullscreen?.().catch(() => {})
    return () => {
      document.removeEventListener('fullscreenchange', changed)
      if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => {})
    }
  }, [])
}

export function Present() {
  useScreen()
  const story = useRead(told)
  const taught = useValue(lesson) !== null
  return (
    <section class="present" aria-label="Presenting">
      {/* a lesson has it under its canvas */}
      {!taught && story !== null && (
        <div class="present-words">
          <Pill tone={story.tone} icon={STEP_ICONS[story.glyph]} text={story.chip} />
          <Prose spans={story.spans} />
        </div>
      )}
      <CommandButton name="present" icon="close" class="icon-button present-end" label="Stop presenting" />
    </section>
  )
}
