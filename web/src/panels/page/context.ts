import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Actions } from '../../run/actions'

export const ActionsContext = createContext<Actions | null>(null)

export function useActions(): Actions {
  const actions = useContext(ActionsContext)
  if (actions === null) throw new Error('rendered outside of the page')
  return actions
}
