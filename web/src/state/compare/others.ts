/** Solvers that are not ours, for sweeps and the matrix: fetched when they are asked for, without steps. */
export const OTHERS = [
  {
    id: 'ilp',
    title: 'ILP (HiGHS)',
    text: 'TelaMalloc’s figure 5 as an integer linear program, in HiGHS, for at most ten seconds a run.',
  },
  {
    id: 'cp-sat',
    title: 'CP-SAT',
    text: 'TelaMalloc’s section 5.1 as constraints, in OR-Tools’ CP-SAT, for at most ten seconds a run. It wants threads, which a page has only if it is cross-origin isolated.',
  },
] as const

export type Other = (typeof OTHERS)[number]

export const isOther = (id: string): id is Other['id'] => OTHERS.some((other) => other.id === id)

/** Whether this page has what the solver wants: without threads CP-SAT refuses every problem. */
export const runsHere = (id: string): boolean => id !== 'cp-sat' || globalThis.crossOriginIsolated === true

/** Those of a choice that run here, in the list's order. */
export const othersOf = (ids: readonly string[]): string[] =>
  OTHERS.map(({ id }) => id).filter((id) => ids.includes(id) && runsHere(id))

/** What a solver is called, ours or not. */
export const titleOf = (solvers: readonly { id: string; title: string }[], id: string): string =>
  [...solvers, ...OTHERS].find((one) => one.id === id)?.title ?? id
