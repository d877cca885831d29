/** The memory that the problem is placed in. */
import * as a from '../../state/atoms'
import type { Profile } from '../../state/profile/profile'
import { workbench } from '../../state/workbench_cells'
import type { ActionContext } from '../action_context'
import { resetAddress } from '../page/reset_address'

export class ProfileActions {
  constructor(private readonly on: ActionContext) {}

  /** null: none. False if it does not take the problem; a notice then says why. */
  async chooseProfile(profile: Profile | null): Promise<boolean> {
    if (!(await this.on.session.setProfile(profile))) return false
    resetAddress()
    return true
  }

  /** A profile of the reader's own, new or changed. False if it is the chosen one and the problem does not go with the change. */
  async saveProfile(profile: Profile): Promise<boolean> {
    if (workbench.profile.get()?.id === profile.id && !(await this.chooseProfile(profile))) return false
    const others = a.ownProfiles.get().filter(({ id }) => id !== profile.id)
    a.ownProfiles.set([...others, profile])
    return true
  }

  async deleteProfile(profile: Profile): Promise<void> {
    if (workbench.profile.get()?.id === profile.id) await this.chooseProfile(null)
    a.ownProfiles.update((own) => own.filter(({ id }) => id !== profile.id))
  }
}
