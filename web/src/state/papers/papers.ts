/** Tables and figures of the four papers beside what was measured here: `measured.json` is what `./build.sh bench papers --commit` wrote. */
import { Later } from '../../base/later'
import type { Plot } from '../../base/plot'

/** A paper's own table, as it prints it. */
export interface Theirs {
  titles: string[]
  rows: string[][]
}

/** What the row's run was; left out: as the page has it. */
export interface RowRun {
  capacity?: number
  solver?: string
  /** the solver's options, changed from their defaults */
  settings?: Record<string, string>
  budget?: number
  goal?: 'height' | 'traffic'
}

export interface GeneratedRow extends RowRun {
  generate: string
  n: number
  seed: number
}

export interface NetworkRow extends RowRun {
  network: string
  options: Record<string, string>
  /** left out: that under which the zoo shows it */
  lowering?: Record<string, string>
  /** the row is of its tasks on tiles, for so many bytes on the chip */
  tiles?: { budget: number; options: Record<string, string> }
  /** the row is of what lives in so many bytes of fast memory, chosen with that repacker (by name) */
  fast?: { repacker: string; capacity: number }
}

/** How the page comes by a row's instance; of a published one it says where that is to be had. */
export type Opening = GeneratedRow | NetworkRow | { published: string; suite: string }

export interface Measured {
  columns: { title: string; right: boolean }[]
  rows: { cells: string[]; open?: Opening }[]
  charts: Plot[]
  note?: string
}

export interface PaperFigure {
  /** id of a paper */
  paper: string
  where: string
  title: string
  theirs?: Theirs
  said?: string
  why: string
  /** whose runs these are, too */
  same?: string
  /** left out: nothing can be measured of it */
  command?: string
  date?: string
  machine?: string
  /** it had other work at the time */
  busy?: boolean
  ours?: Measured
}

export interface Papers {
  papers: { id: string; title: string; cites: string; url: string }[]
  figures: PaperFigure[]
}

/** Where suites are published that are not part of the project. */
export const SUITES: Record<string, { text: string; url: string }> = {
  minimalloc: {
    text: 'The instances are published with MiniMalloc, in benchmarks/challenging; drop one on the page to open it.',
    url: 'https://github.com/google/minimalloc',
  },
}

export const papers = new Later(
  async (): Promise<Papers> => (await import('./measured.json')).default as unknown as Papers,
)
