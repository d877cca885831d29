/** Everything a person can do, by feature: what buttons, keys and drops call. */
import { ActionContext } from './action_context'
import { CanvasActions } from './canvas/canvas_actions'
import { DraftActions } from './edit/draft_actions'
import { ModelActions } from './model/model_actions'
import { PageActions } from './page/page_actions'
import { ProblemActions } from './problem/problem_actions'
import { ProfileActions } from './profile/profile_actions'
import { SearchActions } from './search/search_actions'
import { ShareActions } from './share/share_actions'
import { SolverActions } from './solver/solver_actions'

export class Actions extends ActionContext {
  readonly problem = new ProblemActions(this)
  readonly draft = new DraftActions(this)
  readonly model = new ModelActions(this)
  readonly profile = new ProfileActions(this)
  readonly solver = new SolverActions(this)
  readonly search = new SearchActions(this)
  readonly canvas = new CanvasActions(this)
  readonly page = new PageActions()
  readonly share = new ShareActions(this)
}
