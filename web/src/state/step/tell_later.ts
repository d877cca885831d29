/** The words that come later: see sentence.ts. */
export * from './tell_climb'
export * from './tell_csp'
export * from './tell_exact'
export * from './tell_large'
export * from './tell_pools'
export * from './tell_schedule'
export * from './tell_taa'
export * from './tell_telamalloc'
