/** A profile that was changed in a form, while another tab may have changed the same one, or made one of its own. */
import { freshId, type Profile } from './profile'

/** What is to be kept: of `begun`, as it was when the form began, only what the form changed; begun null: one that nobody had kept then. */
export function savedOnto(own: readonly Profile[], begun: Profile | null, made: Profile): Profile {
  const now = own.find(({ id }) => id === made.id)
  if (now === undefined) return made
  if (begun === null) return { ...made, id: freshId(own) }
  const changes = Object.entries(made).filter(([field, value]) => value !== begun[field as keyof Profile])
  return { ...now, ...Object.fromEntries(changes) }
}
