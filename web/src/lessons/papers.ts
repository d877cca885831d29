/** Where the lessons send on to. */
import type { Source } from './lesson'

const MINIMALLOC = 'https://doi.org/10.1145/3623278.3624752'
const TELAMALLOC = 'https://doi.org/10.1145/3567955.3567961'
const COSMA = 'https://doi.org/10.48550/arXiv.2311.18246'
const TAA = 'https://doi.org/10.1109/ACCESS.2024.3352900'

export function minimalloc(where: string): Source {
  return { text: `MiniMalloc, ${where} (Moffitt, ASPLOS 2023)`, url: MINIMALLOC }
}

export function telamalloc(where: string): Source {
  return { text: `TelaMalloc, ${where} (Maas et al., ASPLOS 2023)`, url: TELAMALLOC }
}

export function cosma(where: string): Source {
  return { text: `COSMA, ${where} (Li, Gupta, Malik, 2023)`, url: COSMA }
}

export function taa(where: string): Source {
  return {
    text: `Off-Chip Memory Allocation for Neural Processing Units, ${where} (Kvochko et al., IEEE Access 2024)`,
    url: TAA,
  }
}
