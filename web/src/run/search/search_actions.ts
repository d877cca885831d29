/** Ways along the search. */
import type { FindKind } from '../../../../wasm/client/types'
import { notice, type PlayBy, playing } from '../../state/atoms'
import { Later } from '../../base/later'
import { stats } from '../../state/workbench'
import type { ActionContext } from '../action_context'

const jumps = new Later(() => import('./jumps'))

const WORDS: Partial<Record<FindKind, string>> = { major: 'major backtrack', reject: 'rejection' }

export class SearchActions {
  constructor(private readonly on: ActionContext) {}

  goToDeepest(): void {
    const at = stats.get()?.maxDepthStep ?? 0
    this.on.player.seek(at)
  }

  /** To the next of a kind, or the last before; where there is none it says so. */
  jump(kind: FindKind, forward: boolean): void {
    void this.on.attempt(async () => {
      if ((await this.on.player.jump(kind, forward)) !== 0) return
      const [where, other] = forward ? ['later', 'after'] : ['earlier', 'before']
      const title = `There is no ${where} ${WORDS[kind] ?? kind}.`
      notice.set({ tone: 'plain', title, text: `None comes ${other} the step shown.` })
    })
  }

  /** From its start, until it is told to stop. */
  watch(): void {
    const { player } = this.on
    if (playing.get()) player.pause()
    else {
      player.seek(0)
      player.play()
    }
  }

  playBy(by: PlayBy): void {
    void this.on.attempt(async () => (await jumps.get()).playOnly(this.on.session, by))
  }
}
