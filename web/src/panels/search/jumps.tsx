/** Jumps that have no button of their own in the transport: in its menu, and in the Stats tab. */
import { Later } from '../../base/later'
import type { Actions } from '../../run/actions'
import { sayWhy } from '../../state/atoms'
import { useActions } from '../page/context'
import { I } from '../controls/icons'
import { Menu, type MenuItem } from '../controls/menu'

const part = new Later(() => import('../../run/search/jumps'))

export async function nextDeepest(actions: Actions): Promise<void> {
  try {
    await (await part.get()).nextDeepest(actions.session)
  } catch (error) {
    sayWhy(error)
  }
}

function jumps(actions: Actions): MenuItem[] {
  const to = (key: string, title: string, note: string, act: () => void): MenuItem => ({ key, title, note, act })
  return [
    to('next-major', 'Next major backtrack', 'Alt →', () => actions.search.jump('major', true)),
    to('last-major', 'Previous major backtrack', 'Alt ←', () => actions.search.jump('major', false)),
    to('next-deepest', 'Next deepest step', 'Shift D', () => void nextDeepest(actions)),
    to('deepest', 'Deepest step of all', 'D', () => actions.search.goToDeepest()),
    to('next-restart', 'Next restart', '', () => actions.search.jump('restart', true)),
    to('next-reject', 'Next rejection', '', () => actions.search.jump('reject', true)),
  ]
}

export function JumpMenu({ off }: { off: boolean }) {
  const actions = useActions()
  return <Menu name="Jump to" class="transport-button" label={<I name="jump" />} items={jumps(actions)} off={off} />
}

export function JumpButtons() {
  const actions = useActions()
  return (
    <div class="row row-wrap jumps">
      {jumps(actions)
        .slice(0, 4)
        .map(({ key, title, act }) => (
          <button key={key} type="button" class="button" onClick={act}>
            {title}
          </button>
        ))}
    </div>
  )
}
