/** Ways along the search. */
import type { FindKind } from '../../../../wasm/client/types'
import { stats } from '../../state/workbench'
import type { Actions } from '../actions'

export class SearchActions {
  constructor(private readonly on: Actions) {}

  goToDeepest(): void {
    const at = stats.get()?.maxDepthStep ?? 0
    this.on.player.seek(at)
  }

  jump(kind: FindKind, forward: boolean): void {
    void this.on.attempt(() => this.on.player.jump(kind, forward))
  }
}
