/* What events say and do. Made by wasm/events.mjs from events.def and roles.def in core/include/asc (npm run events): not to be edited. */

/** What events of every kind have. Sizes, addresses and floors are bytes; buffers and sections are indices, 0xffffffff: none. */
interface Said {
  /** the step it belongs to, from 1; 0: what is open before the first */
  step: number
  /** line of the pseudocode, 0: none */
  line: number
  /** buffers placed after it */
  depth: number
}

/** a buffer is placed at offset, resting on support (none: on the ground or a gap's edge); of = candidates at this node; again: it was in before and had been taken out by EJECT */
export interface PlaceEvent extends Said {
  kind: 'place'
  buffer: number
  offset: number
  support: number
  of: number
  again: boolean
  /** buffers whose least offset rose */
  list: Uint32Array
}

/** a placement was tried and taken back at once: in section, floor + rest exceeds the capacity (PILE: they fit, but in no order do the buffers, at offsets that suit them; FIXED: section none, floor = offset it needs, rest = the fixed offset; UNSATISFIABLE: section none, the listed buffer, else this one, has no position: its least one, floor, is above its greatest one, rest) */
export interface RejectEvent extends Said {
  kind: 'reject'
  buffer: number
  offset: number
  rule: number
  section: number
  floor: number
  rest: number
  /** the buffers still to place in that section */
  list: Uint32Array
}

/** count candidates, the first of which is buffer at offset, are passed over by rule; witness = the buffer that proves it, bound = the offset or top that proves it */
export interface SkipEvent extends Said {
  kind: 'skip'
  buffer: number
  offset: number
  rule: number
  witness: number
  bound: number
  count: number
  /** the candidates passed over */
  list: Uint32Array
}

/** levels from..to+1 are taken back; buffer = the decision undone last; stuck: too many backtracks below level to, not for want of candidates */
export interface BacktrackEvent extends Said {
  kind: 'backtrack'
  from: number
  to: number
  buffer: number
  major: boolean
  stuck: boolean
  /** the buffers undone, deepest first */
  list: Uint32Array
}

/** a new attempt starts with preorder heuristic or arm number arm and a limit of nodes (TelaMalloc: the heuristics rotated by arm, a limit of backtracks in a subtree; round 0: after the contention heuristic failed) */
export interface RestartEvent extends Said {
  kind: 'restart'
  round: number
  arm: number
  limit: number
}

/** a gap of room bytes at offset below blocker is too small for the need bytes of buffer */
export interface NoFitEvent extends Said {
  kind: 'no-fit'
  buffer: number
  offset: number
  blocker: number
  need: number
  room: number
}

/** a skyline row at address row is finished, the next row is at next */
export interface AdvanceEvent extends Said {
  kind: 'advance'
  row: number
  next: number
}

/** a shared object is opened for buffer, which the next step places in it */
export interface NewSlotEvent extends Said {
  kind: 'new-slot'
  buffer: number
  offset: number
  slot: number
  size: number
}

/** nobody of section sits on its floor: its buffers rise to address to, where the next one can begin (buffer: the one that sets it) */
export interface WasteEvent extends Said {
  kind: 'waste'
  section: number
  floor: number
  to: number
  buffer: number
  /** the buffers that rose */
  list: Uint32Array
}

/** minimising: a search at capacity begins, with a limit of nodes (0: none), while the least height is known to be lower..upper (upper -1: no plan yet); purpose = 0 at the load bound, 1 bisection, 2 the rest of the effort */
export interface ProbeEvent extends Said {
  kind: 'probe'
  capacity: number
  limit: number
  lower: number
  upper: number
  purpose: number
}

/** minimising: the least height is lower..upper; source = 0 the load, 1 a greedy order, 2 a dive, 3 a plan of the search, 4 a proof of the search, 5 the tries before it */
export interface BoundEvent extends Said {
  kind: 'bound'
  lower: number
  upper: number
  source: number
}

/** buffer has no place below target and goes to offset all the same: count buffers that lie there are taken out, to be placed again; fails = how often that happened in this try, of budget */
export interface EjectEvent extends Said {
  kind: 'eject'
  buffer: number
  offset: number
  count: number
  fails: number
  budget: number
  target: number
  /** the buffers taken out */
  list: Uint32Array
}

/** buffer and other change places in the order, and the plan of it is kept: it is height high, the one before was before high; best = height of the best plan so far (-1: none yet) */
export interface SwapEvent extends Said {
  kind: 'swap'
  buffer: number
  other: number
  height: number
  before: number
  best: number
  /** the buffers that lie elsewhere now */
  list: Uint32Array
}

/** buffer and other change places in the order and change back: the plan of it is not kept, and the one before, which is before high, stands; why = 0 for its height, 1 it was given up at height, 2 there was nobody to swap (buffer, other: none) */
export interface SwapBackEvent extends Said {
  kind: 'swap-back'
  buffer: number
  other: number
  height: number
  before: number
  why: number
  best: number
  /** the buffers that would lie elsewhere */
  list: Uint32Array
}

/** operator op runs at time, chosen among ready operators; live = bytes alive while it runs, after = once it has run, peak = the most so far; streamed constants do not count */
export interface ScheduleEvent extends Said {
  kind: 'schedule'
  op: number
  time: number
  ready: number
  live: number
  after: number
  peak: number
  /** the buffers that begin, of which no operator before it had one */
  list: Uint32Array
}

/** the order of the operators stands, and another solver, in so many steps, gives the buffers their addresses, height high (-1: it found none); peak = the most bytes alive at once, streamed constants apart */
export interface AllocateEvent extends Said {
  kind: 'allocate'
  height: number
  peak: number
  steps: number
  /** the buffers that have an address now */
  list: Uint32Array
}

/** pool has its plan, which is height high and which it keeps: the search goes on in pool next, where nothing is placed yet */
export interface PoolEvent extends Said {
  kind: 'pool'
  pool: number
  height: number
  next: number
}

/** a search over the sets of operators that have run goes on from those of layer operators: states are kept of the next layer so far; dominated and pruned = states of this pass that another makes superfluous, and those that cost too much; best = bytes of the best plan so far (-1: none); stage = 0 the peak of the given order, 1 a first order of low peak, 2 the least peak, 3 the given order, 4 the order of low peak, 5 through cuts, 6 every order */
export interface ExpandEvent extends Said {
  kind: 'expand'
  stage: number
  layer: number
  states: number
  dominated: number
  pruned: number
  best: number
}

/** buffer, of bytes, is taken out of the arena before operator op, which runs at time: its tensor is copied out unless a copy is outside already */
export interface EvictEvent extends Said {
  kind: 'evict'
  buffer: number
  op: number
  time: number
  bytes: number
}

/** buffer, of bytes, is fetched from outside for operator op, which runs at time */
export interface FetchEvent extends Said {
  kind: 'fetch'
  buffer: number
  op: number
  time: number
  bytes: number
}

/** operator op runs at time, and the buffers that begin with it have the lowest gaps that they fit */
export interface RunEvent extends Said {
  kind: 'run'
  op: number
  time: number
  /** the buffers that begin with it */
  list: Uint32Array
}

/** the best order so far is cut where few bytes are alive, into parts, and a search follows through the cuts alone */
export interface CutEvent extends Said {
  kind: 'cut'
  parts: number
}

/** the solution of best bytes of traffic is packed, or finds no addresses; packer = 0 a narrow sweep through time, 1 a wide one, 2 an exact solver of buffers, 3 the search through all layouts (packed: a plan that costs more, the least of all with addresses), 4 a heuristic, above the capacity; steps = of all packers so far */
export interface PackEvent extends Said {
  kind: 'pack'
  packer: number
  packed: boolean
  best: number
  steps: number
}

/** the nth try to find addresses by copying count tensors out that could stay: that costs cost bytes, and is packed or is not */
export interface RepairEvent extends Said {
  kind: 'repair'
  nth: number
  count: number
  cost: number
  packed: boolean
}

/** buffer at offset would lie over other: of both a chunk is alive in section at address (or, as the paper prints the test, touches there); the next offset to try, past these two and perhaps others of theirs, is next */
export interface CollideEvent extends Said {
  kind: 'collide'
  buffer: number
  offset: number
  other: number
  section: number
  address: number
  next: number
}

/** a search begins for a plan of the listed buffers alone that is lower than limit; window nth of of that many that follow each other in time (1 of 1: all there are); nodes = decisions after which it is given up (0: never) */
export interface WindowEvent extends Said {
  kind: 'window'
  limit: number
  nth: number
  of: number
  nodes: number
  /** the buffers of the window, each as low as it may lie */
  list: Uint32Array
}

/** buffer and other collide, and from here on buffer lies past other, where it is as low as all decisions allow: at offset; level = decisions that stand, height = of all buffers of the window now; again: other past buffer was tried before */
export interface LiftEvent extends Said {
  kind: 'lift'
  buffer: number
  offset: number
  other: number
  level: number
  height: number
  again: boolean
  /** the others that rose with it */
  list: Uint32Array
}

/** buffer cannot go past other: blocked would then lie at offset or above, too high for a plan below the limit, or, where it would not, push itself up in a circle; again: other past buffer was tried before */
export interface NoLiftEvent extends Said {
  kind: 'no-lift'
  buffer: number
  other: number
  blocked: number
  offset: number
  again: boolean
}

/** nothing below limit is left here: count decisions are taken back, the last of which put buffer past other (none: all of them); level = those that stand still */
export interface DropEvent extends Said {
  kind: 'drop'
  buffer: number
  other: number
  count: number
  level: number
  limit: number
  /** the buffers that lie lower again */
  list: Uint32Array
}

/** the search of a window ends after nodes decisions; how = 0 its buffers need least bytes or more, and so do all; 1 it was given up; 2 least bytes are enough for them, which proves nothing new; the least height of all is lower..upper (upper -1: no plan yet) */
export interface ProofEvent extends Said {
  kind: 'proof'
  least: number
  how: number
  nodes: number
  lower: number
  upper: number
  /** the buffers of the window */
  list: Uint32Array
}

/** where each two buffers collide is worked out, before all else: so far that is ranges of differences of their offsets, of so many pairs; buffer = whose pairs are under way (none: all are done) */
export interface TabulateEvent extends Said {
  kind: 'tabulate'
  buffer: number
  pairs: number
  ranges: number
}

/** a sweep over sections that are full, or next to it: where section begins those that end lie side by side, and those that begin take their bytes; idle units count as buffers without a number; standing = exchanges of the sweep so far, those of earlier turns among them (bytes -1: there is none that agrees with these, of which the last is taken back) */
export interface ExchangeEvent extends Said {
  kind: 'exchange'
  section: number
  bytes: number
  ends: number
  standing: number
  /** those that end, as many as ends says, then those that begin */
  list: Uint32Array
}

/** buffer, the nth of so many by priority, has its turn for fast memory: its accesses move bytes, which by the root of size is its priority */
export interface ConsiderEvent extends Said {
  kind: 'consider'
  buffer: number
  nth: number
  of: number
  bytes: number
  accesses: number
  size: number
}

/** buffer found a gap in fast memory at offset, the smallest that holds it: there its accesses move bytes; again: once the others were packed anew */
export interface TakeInEvent extends Said {
  kind: 'take-in'
  buffer: number
  offset: number
  again: boolean
  bytes: number
}

/** buffer found no gap, so count buffers are packed anew, for the nth time, in so many steps of the repacker; with: buffer is one of them, and is in if that is done; verdict = 0 packed, 1 it proved that they do not fit, 2 it was given up, 3 it found nothing: all stays as it was */
export interface RepackEvent extends Said {
  kind: 'repack'
  buffer: number
  with: boolean
  verdict: number
  count: number
  steps: number
  nth: number
  /** the buffers that lie elsewhere now */
  list: Uint32Array
}

/** buffer stays in slow memory, where its accesses move bytes; why = 0 it found no gap and no repack is left, 1 repacking made no room, 2 it is larger than fast memory, 3 no operator reads or writes it */
export interface LeaveOutEvent extends Said {
  kind: 'leave-out'
  buffer: number
  why: number
  bytes: number
}

/** the unplaced buffers fall into parts that no longer meet in time */
export interface DecomposeEvent extends Said {
  kind: 'decompose'
  parts: number
  /** the first buffer of each part, or nothing */
  list: Uint32Array
}

/** one part of a decomposition is solved, the search goes on in the next */
export interface PartSolvedEvent extends Said {
  kind: 'part-solved'
  part: number
  parts: number
}

/** every buffer is placed; height is the plan's height */
export interface IncumbentEvent extends Said {
  kind: 'incumbent'
  height: number
}

/** the node that is open now: it asks who sits on the floor of section; rest = sizes to place there, score = the arm's (least of the valid sections), waste = 0 nobody may as well, 1 somebody must (no slack), 2 somebody must (buffer is blocked), 3 the candidate lies on its pile (a glued arm) */
export interface ChooseEvent extends Said {
  kind: 'choose'
  section: number
  floor: number
  rest: number
  score: number
  waste: number
  buffer: number
  /** the candidates in order of trying */
  list: Uint32Array
}

/** rule raised the least offset of buffer from from to offset; section = where, or other = the buffer of the same span for which it did (SAME_SPAN) */
export interface RaiseEvent extends Said {
  kind: 'raise'
  buffer: number
  offset: number
  rule: number
  section: number
  from: number
  other: number
}

/** packing the listed buffers alone, each from its least offset, is impossible; learned = 0 no, 1 kept among the recent ones, 2 among the small ones too; section = where it overflows, if at one */
export interface ConflictEvent extends Said {
  kind: 'conflict'
  size: number
  learned: number
  section: number
  /** the buffers */
  list: Uint32Array
}

/** on the way back, count candidates of the node at level are passed over by rule (BACKJUMP or LAZY) */
export interface LeaveEvent extends Said {
  kind: 'leave'
  level: number
  rule: number
  count: number
  section: number
  /** the candidates */
  list: Uint32Array
}

/** the listed placements alone leave buffer no position: its least one is above its greatest one (buffer none: every candidate of the point that is left fails because of them) */
export interface CulpritsEvent extends Said {
  kind: 'culprits'
  buffer: number
  least: number
  most: number
  /** the placed buffers, deepest level first */
  list: Uint32Array
}

/** the next candidates come from phase, which has left of its of buffers to place; from = phase of the buffer placed before; part of parts that no buffer joins in time */
export interface PhaseEvent extends Said {
  kind: 'phase'
  phase: number
  from: number
  left: number
  of: number
  part: number
  parts: number
}

/** candidate number index, of of, of the decision point that is open now; offset = its lowest feasible position; source = 0 the longest lifetime of its phase, 1 the largest size, 2 the largest area, 3 promoted from a point that failed */
export interface CandidateEvent extends Said {
  kind: 'candidate'
  buffer: number
  offset: number
  source: number
  phase: number
  index: number
  of: number
}

/** the candidates of the point that failed are prepended to those of the point at level, where pending wait now */
export interface PromoteEvent extends Said {
  kind: 'promote'
  level: number
  count: number
  pending: number
  /** the candidates */
  list: Uint32Array
}

/** backtracks happened below the point at level, more than the limit: the search goes back to it */
export interface StuckEvent extends Said {
  kind: 'stuck'
  level: number
  backtracks: number
  limit: number
}

/** a try begins: all is to be placed below target (-1: plain first fit, without a target); best = height of the best plan, failed = the greatest target that was given up (-1: none), nth = try at this target, from 1 (0: before the first) */
export interface TargetEvent extends Said {
  kind: 'target'
  target: number
  best: number
  failed: number
  nth: number
}

/** buffer ends highest, at top; second and partner change places as well, if they are there */
export interface BottleneckEvent extends Said {
  kind: 'bottleneck'
  buffer: number
  top: number
  near: number
  second: number
  partner: number
  /** those drawn among, of whom the first near had a hand in its place */
  list: Uint32Array
}

/** the try before is abandoned, with placed buffers in: nothing was free for buffer below target, and why = 0 forced buffers had gone in over others already, as many as the budget allows; 1 fixed buffers are in the way wherever it would go over others; 2 a dive rose above target with it; 3 a dive went from section to section so often that it is not worth going on (buffer none) */
export interface AbandonEvent extends Said {
  kind: 'abandon'
  buffer: number
  why: number
  forced: number
  budget: number
  placed: number
  target: number
}

/** operator number index, of of, of those that may run next; live = bytes alive while it would run, after = once it had run, streamed constants apart */
export interface ReadyEvent extends Said {
  kind: 'ready'
  op: number
  live: number
  after: number
  index: number
  of: number
}

/** so many transitions of the piece went on with one operator alone, since some best plan runs it now: it has what it reads, fits, and leaves no more behind than there was; op = the last of these */
export interface ForcedEvent extends Said {
  kind: 'forced'
  op: number
  count: number
}

/** before this decision, with buffer at from and other at base, a chunk of each was alive in section at address */
export interface ClashEvent extends Said {
  kind: 'clash'
  buffer: number
  other: number
  section: number
  address: number
  from: number
  base: number
}

/** cut number nth, of of, comes after operator op of the best order so far, once time operators have run: live bytes are alive there; the search that follows runs the listed operators, and those of the cuts before it, before all others */
export interface CutAtEvent extends Said {
  kind: 'cut-at'
  nth: number
  of: number
  op: number
  time: number
  live: number
  /** the operators between the cut before it and this one, in the best order so far */
  operators: Uint32Array
}

/** the way back goes to level, one of of candidates; the rules would go to level fallback; drawn: by lot; learned: a model scored them, and one is drawn if no weighted score reaches threshold */
export interface JumpEvent extends Said {
  kind: 'jump'
  level: number
  fallback: number
  of: number
  learned: boolean
  drawn: boolean
  threshold: number
  /** the placements among which it was chosen, lowest first */
  list: Uint32Array
}

/** of the jump just told: the model gives the candidate at level, where buffer lay, score, of 640, and weighted once far jumps count less; best: the highest; chosen: the way back went there */
export interface ScoreEvent extends Said {
  kind: 'score'
  buffer: number
  level: number
  score: number
  weighted: number
  chosen: boolean
  best: boolean
}

/** Each of a run's steps has one. */
export type StepEvent =
  | PlaceEvent
  | RejectEvent
  | SkipEvent
  | BacktrackEvent
  | RestartEvent
  | NoFitEvent
  | AdvanceEvent
  | NewSlotEvent
  | WasteEvent
  | ProbeEvent
  | BoundEvent
  | EjectEvent
  | SwapEvent
  | SwapBackEvent
  | ScheduleEvent
  | AllocateEvent
  | PoolEvent
  | ExpandEvent
  | EvictEvent
  | FetchEvent
  | RunEvent
  | CutEvent
  | PackEvent
  | RepairEvent
  | CollideEvent
  | WindowEvent
  | LiftEvent
  | NoLiftEvent
  | DropEvent
  | ProofEvent
  | TabulateEvent
  | ExchangeEvent
  | ConsiderEvent
  | TakeInEvent
  | RepackEvent
  | LeaveOutEvent
/** Adds detail to the step before it. */
export type DetailEvent =
  | DecomposeEvent
  | PartSolvedEvent
  | IncumbentEvent
  | ChooseEvent
  | RaiseEvent
  | ConflictEvent
  | LeaveEvent
  | CulpritsEvent
  | PhaseEvent
  | CandidateEvent
  | PromoteEvent
  | StuckEvent
  | TargetEvent
  | BottleneckEvent
  | AbandonEvent
  | ReadyEvent
  | ForcedEvent
  | ClashEvent
  | CutAtEvent
  | JumpEvent
  | ScoreEvent
export type SearchEvent = StepEvent | DetailEvent
export type StepKind = StepEvent['kind']
export type EventKind = SearchEvent['kind']
export type EventOf<K extends EventKind> = Extract<SearchEvent, { kind: K }>

/** What a step does to the path from the root of the search to where it stands; what the words mean is said in events.def. */
export type Effect = 'opens' | 'discards' | 'returns' | 'begins' | 'stays' | 'idles' | 'rebuilds'
/** By kind of step, in the core's order. */
export const EFFECTS = {
  place: 'opens',
  reject: 'discards',
  skip: 'discards',
  backtrack: 'returns',
  restart: 'begins',
  'no-fit': 'stays',
  advance: 'stays',
  'new-slot': 'stays',
  waste: 'idles',
  probe: 'begins',
  bound: 'stays',
  eject: 'rebuilds',
  swap: 'rebuilds',
  'swap-back': 'rebuilds',
  schedule: 'rebuilds',
  allocate: 'rebuilds',
  pool: 'rebuilds',
  expand: 'stays',
  evict: 'rebuilds',
  fetch: 'rebuilds',
  run: 'rebuilds',
  cut: 'stays',
  pack: 'rebuilds',
  repair: 'rebuilds',
  collide: 'stays',
  window: 'rebuilds',
  lift: 'rebuilds',
  'no-lift': 'stays',
  drop: 'rebuilds',
  proof: 'stays',
  tabulate: 'stays',
  exchange: 'stays',
  consider: 'stays',
  'take-in': 'opens',
  repack: 'rebuilds',
  'leave-out': 'stays',
} as const satisfies Record<StepKind, Effect>
/** index = the core's number of the kind */
export const STEP_KINDS = Object.keys(EFFECTS) as readonly StepKind[]
export const isStep = (event: SearchEvent): event is StepEvent => event.kind in EFFECTS

export type StepWith<E extends Effect> = Extract<
  StepEvent,
  { kind: { [K in StepKind]: (typeof EFFECTS)[K] extends E ? K : never }[StepKind] }
>
export function hasEffect<E extends Effect>(event: SearchEvent, effect: E): event is StepWith<E> {
  return isStep(event) && EFFECTS[event.kind] === effect
}

/**
 * What a step does to a buffer that it names.
 * puts: it lies where the step says, or elsewhere than before
 * takes: it is taken back, or out
 * tries: it was to go somewhere and does not, or was passed over
 * names: the step is about it, but moves it nowhere
 */
export type Role = 'puts' | 'takes' | 'tries' | 'names'
/** index = the core's number of the role */
export const ROLES: readonly Role[] = ['puts', 'takes', 'tries', 'names']

/** The one buffer that a step is about, and the address it is about there; null if there is no such. */
export function spotOf(event: SearchEvent): { role: Role; buffer: number; offset: number } | null {
  switch (event.kind) {
    case 'place':
    case 'eject':
    case 'lift':
    case 'take-in':
      return { role: 'puts', buffer: event.buffer, offset: event.offset }
    case 'reject':
    case 'skip':
    case 'no-fit':
    case 'collide':
      return { role: 'tries', buffer: event.buffer, offset: event.offset }
    case 'new-slot':
      return { role: 'names', buffer: event.buffer, offset: event.offset }
    default:
      return null
  }
}

/** Those whom a step names in its list, and what it does to them. */
export function listOf(event: SearchEvent): { role: Role; buffers: Uint32Array } | null {
  switch (event.kind) {
    case 'skip':
      return { role: 'tries', buffers: event.list }
    case 'backtrack':
    case 'eject':
    case 'drop':
      return { role: 'takes', buffers: event.list }
    case 'swap':
    case 'schedule':
    case 'allocate':
    case 'run':
    case 'window':
    case 'lift':
    case 'repack':
      return { role: 'puts', buffers: event.list }
    case 'proof':
    case 'exchange':
      return { role: 'names', buffers: event.list }
    default:
      return null
  }
}

/** Members that are indices of buffers, and of sections; so is what lists hold, but for those named `operators`. */
export const BUFFER_MEMBERS: { readonly [K in EventKind]?: readonly string[] } = {
  place: ['buffer', 'support'],
  reject: ['buffer'],
  skip: ['buffer', 'witness'],
  backtrack: ['buffer'],
  'no-fit': ['buffer', 'blocker'],
  'new-slot': ['buffer'],
  waste: ['buffer'],
  eject: ['buffer'],
  swap: ['buffer', 'other'],
  'swap-back': ['buffer', 'other'],
  evict: ['buffer'],
  fetch: ['buffer'],
  collide: ['buffer', 'other'],
  lift: ['buffer', 'other'],
  'no-lift': ['buffer', 'other', 'blocked'],
  drop: ['buffer', 'other'],
  tabulate: ['buffer'],
  consider: ['buffer'],
  'take-in': ['buffer'],
  repack: ['buffer'],
  'leave-out': ['buffer'],
  choose: ['buffer'],
  raise: ['buffer', 'other'],
  culprits: ['buffer'],
  candidate: ['buffer'],
  bottleneck: ['buffer', 'second', 'partner'],
  abandon: ['buffer'],
  clash: ['buffer', 'other'],
  score: ['buffer'],
}
export const SECTION_MEMBERS: { readonly [K in EventKind]?: readonly string[] } = {
  reject: ['section'],
  waste: ['section'],
  collide: ['section'],
  exchange: ['section'],
  choose: ['section'],
  raise: ['section'],
  conflict: ['section'],
  leave: ['section'],
  clash: ['section'],
}

/** Numbers of an event among the outputs: step, kind, line, depth, six arguments, where its list begins and how long it is. */
export const EVENT_NUMBERS = 12

function listAt(n: Float64Array, at: number, lists: Uint32Array): Uint32Array {
  return lists.subarray(n[at + 10]!, n[at + 10]! + n[at + 11]!)
}

/** The event whose numbers begin at `at`. */
export function decodeEvent(n: Float64Array, at: number, lists: Uint32Array): SearchEvent {
  const said = { step: n[at]!, line: n[at + 2]!, depth: n[at + 3]! }
  switch (n[at + 1]!) {
    case 0:
      return {
        ...said,
        kind: 'place',
        buffer: n[at + 4]!,
        offset: n[at + 5]!,
        support: n[at + 6]!,
        of: n[at + 7]!,
        again: n[at + 8]! !== 0,
        list: listAt(n, at, lists),
      }
    case 1:
      return {
        ...said,
        kind: 'reject',
        buffer: n[at + 4]!,
        offset: n[at + 5]!,
        rule: n[at + 6]!,
        section: n[at + 7]!,
        floor: n[at + 8]!,
        rest: n[at + 9]!,
        list: listAt(n, at, lists),
      }
    case 2:
      return {
        ...said,
        kind: 'skip',
        buffer: n[at + 4]!,
        offset: n[at + 5]!,
        rule: n[at + 6]!,
        witness: n[at + 7]!,
        bound: n[at + 8]!,
        count: n[at + 9]!,
        list: listAt(n, at, lists),
      }
    case 3:
      return {
        ...said,
        kind: 'backtrack',
        from: n[at + 4]!,
        to: n[at + 5]!,
        buffer: n[at + 6]!,
        major: n[at + 7]! !== 0,
        stuck: n[at + 8]! !== 0,
        list: listAt(n, at, lists),
      }
    case 4:
      return {
        ...said,
        kind: 'restart',
        round: n[at + 4]!,
        arm: n[at + 5]!,
        limit: n[at + 6]!,
      }
    case 5:
      return {
        ...said,
        kind: 'no-fit',
        buffer: n[at + 4]!,
        offset: n[at + 5]!,
        blocker: n[at + 6]!,
        need: n[at + 7]!,
        room: n[at + 8]!,
      }
    case 6:
      return {
        ...said,
        kind: 'advance',
        row: n[at + 4]!,
        next: n[at + 5]!,
      }
    case 7:
      return {
        ...said,
        kind: 'new-slot',
        buffer: n[at + 4]!,
        offset: n[at + 5]!,
        slot: n[at + 6]!,
        size: n[at + 7]!,
      }
    case 8:
      return {
        ...said,
        kind: 'waste',
        section: n[at + 4]!,
        floor: n[at + 5]!,
        to: n[at + 6]!,
        buffer: n[at + 7]!,
        list: listAt(n, at, lists),
      }
    case 9:
      return {
        ...said,
        kind: 'probe',
        capacity: n[at + 4]!,
        limit: n[at + 5]!,
        lower: n[at + 6]!,
        upper: n[at + 7]!,
        purpose: n[at + 8]!,
      }
    case 10:
      return {
        ...said,
        kind: 'bound',
        lower: n[at + 4]!,
        upper: n[at + 5]!,
        source: n[at + 6]!,
      }
    case 11:
      return {
        ...said,
        kind: 'eject',
        buffer: n[at + 4]!,
        offset: n[at + 5]!,
        count: n[at + 6]!,
        fails: n[at + 7]!,
        budget: n[at + 8]!,
        target: n[at + 9]!,
        list: listAt(n, at, lists),
      }
    case 12:
      return {
        ...said,
        kind: 'swap',
        buffer: n[at + 4]!,
        other: n[at + 5]!,
        height: n[at + 6]!,
        before: n[at + 7]!,
        best: n[at + 8]!,
        list: listAt(n, at, lists),
      }
    case 13:
      return {
        ...said,
        kind: 'swap-back',
        buffer: n[at + 4]!,
        other: n[at + 5]!,
        height: n[at + 6]!,
        before: n[at + 7]!,
        why: n[at + 8]!,
        best: n[at + 9]!,
        list: listAt(n, at, lists),
      }
    case 14:
      return {
        ...said,
        kind: 'schedule',
        op: n[at + 4]!,
        time: n[at + 5]!,
        ready: n[at + 6]!,
        live: n[at + 7]!,
        after: n[at + 8]!,
        peak: n[at + 9]!,
        list: listAt(n, at, lists),
      }
    case 15:
      return {
        ...said,
        kind: 'allocate',
        height: n[at + 4]!,
        peak: n[at + 5]!,
        steps: n[at + 6]!,
        list: listAt(n, at, lists),
      }
    case 16:
      return {
        ...said,
        kind: 'pool',
        pool: n[at + 4]!,
        height: n[at + 5]!,
        next: n[at + 6]!,
      }
    case 17:
      return {
        ...said,
        kind: 'expand',
        stage: n[at + 4]!,
        layer: n[at + 5]!,
        states: n[at + 6]!,
        dominated: n[at + 7]!,
        pruned: n[at + 8]!,
        best: n[at + 9]!,
      }
    case 18:
      return {
        ...said,
        kind: 'evict',
        buffer: n[at + 4]!,
        op: n[at + 5]!,
        time: n[at + 6]!,
        bytes: n[at + 7]!,
      }
    case 19:
      return {
        ...said,
        kind: 'fetch',
        buffer: n[at + 4]!,
        op: n[at + 5]!,
        time: n[at + 6]!,
        bytes: n[at + 7]!,
      }
    case 20:
      return {
        ...said,
        kind: 'run',
        op: n[at + 4]!,
        time: n[at + 5]!,
        list: listAt(n, at, lists),
      }
    case 21:
      return {
        ...said,
        kind: 'cut',
        parts: n[at + 4]!,
      }
    case 22:
      return {
        ...said,
        kind: 'pack',
        packer: n[at + 4]!,
        packed: n[at + 5]! !== 0,
        best: n[at + 6]!,
        steps: n[at + 7]!,
      }
    case 23:
      return {
        ...said,
        kind: 'repair',
        nth: n[at + 4]!,
        count: n[at + 5]!,
        cost: n[at + 6]!,
        packed: n[at + 7]! !== 0,
      }
    case 24:
      return {
        ...said,
        kind: 'collide',
        buffer: n[at + 4]!,
        offset: n[at + 5]!,
        other: n[at + 6]!,
        section: n[at + 7]!,
        address: n[at + 8]!,
        next: n[at + 9]!,
      }
    case 25:
      return {
        ...said,
        kind: 'window',
        limit: n[at + 4]!,
        nth: n[at + 5]!,
        of: n[at + 6]!,
        nodes: n[at + 7]!,
        list: listAt(n, at, lists),
      }
    case 26:
      return {
        ...said,
        kind: 'lift',
        buffer: n[at + 4]!,
        offset: n[at + 5]!,
        other: n[at + 6]!,
        level: n[at + 7]!,
        height: n[at + 8]!,
        again: n[at + 9]! !== 0,
        list: listAt(n, at, lists),
      }
    case 27:
      return {
        ...said,
        kind: 'no-lift',
        buffer: n[at + 4]!,
        other: n[at + 5]!,
        blocked: n[at + 6]!,
        offset: n[at + 7]!,
        again: n[at + 8]! !== 0,
      }
    case 28:
      return {
        ...said,
        kind: 'drop',
        buffer: n[at + 4]!,
        other: n[at + 5]!,
        count: n[at + 6]!,
        level: n[at + 7]!,
        limit: n[at + 8]!,
        list: listAt(n, at, lists),
      }
    case 29:
      return {
        ...said,
        kind: 'proof',
        least: n[at + 4]!,
        how: n[at + 5]!,
        nodes: n[at + 6]!,
        lower: n[at + 7]!,
        upper: n[at + 8]!,
        list: listAt(n, at, lists),
      }
    case 30:
      return {
        ...said,
        kind: 'tabulate',
        buffer: n[at + 4]!,
        pairs: n[at + 5]!,
        ranges: n[at + 6]!,
      }
    case 31:
      return {
        ...said,
        kind: 'exchange',
        section: n[at + 4]!,
        bytes: n[at + 5]!,
        ends: n[at + 6]!,
        standing: n[at + 7]!,
        list: listAt(n, at, lists),
      }
    case 32:
      return {
        ...said,
        kind: 'consider',
        buffer: n[at + 4]!,
        nth: n[at + 5]!,
        of: n[at + 6]!,
        bytes: n[at + 7]!,
        accesses: n[at + 8]!,
        size: n[at + 9]!,
      }
    case 33:
      return {
        ...said,
        kind: 'take-in',
        buffer: n[at + 4]!,
        offset: n[at + 5]!,
        again: n[at + 6]! !== 0,
        bytes: n[at + 7]!,
      }
    case 34:
      return {
        ...said,
        kind: 'repack',
        buffer: n[at + 4]!,
        with: n[at + 5]! !== 0,
        verdict: n[at + 6]!,
        count: n[at + 7]!,
        steps: n[at + 8]!,
        nth: n[at + 9]!,
        list: listAt(n, at, lists),
      }
    case 35:
      return {
        ...said,
        kind: 'leave-out',
        buffer: n[at + 4]!,
        why: n[at + 5]!,
        bytes: n[at + 6]!,
      }
    case 36:
      return {
        ...said,
        kind: 'decompose',
        parts: n[at + 4]!,
        list: listAt(n, at, lists),
      }
    case 37:
      return {
        ...said,
        kind: 'part-solved',
        part: n[at + 4]!,
        parts: n[at + 5]!,
      }
    case 38:
      return {
        ...said,
        kind: 'incumbent',
        height: n[at + 4]!,
      }
    case 39:
      return {
        ...said,
        kind: 'choose',
        section: n[at + 4]!,
        floor: n[at + 5]!,
        rest: n[at + 6]!,
        score: n[at + 7]!,
        waste: n[at + 8]!,
        buffer: n[at + 9]!,
        list: listAt(n, at, lists),
      }
    case 40:
      return {
        ...said,
        kind: 'raise',
        buffer: n[at + 4]!,
        offset: n[at + 5]!,
        rule: n[at + 6]!,
        section: n[at + 7]!,
        from: n[at + 8]!,
        other: n[at + 9]!,
      }
    case 41:
      return {
        ...said,
        kind: 'conflict',
        size: n[at + 4]!,
        learned: n[at + 5]!,
        section: n[at + 6]!,
        list: listAt(n, at, lists),
      }
    case 42:
      return {
        ...said,
        kind: 'leave',
        level: n[at + 4]!,
        rule: n[at + 5]!,
        count: n[at + 6]!,
        section: n[at + 7]!,
        list: listAt(n, at, lists),
      }
    case 43:
      return {
        ...said,
        kind: 'culprits',
        buffer: n[at + 4]!,
        least: n[at + 5]!,
        most: n[at + 6]!,
        list: listAt(n, at, lists),
      }
    case 44:
      return {
        ...said,
        kind: 'phase',
        phase: n[at + 4]!,
        from: n[at + 5]!,
        left: n[at + 6]!,
        of: n[at + 7]!,
        part: n[at + 8]!,
        parts: n[at + 9]!,
      }
    case 45:
      return {
        ...said,
        kind: 'candidate',
        buffer: n[at + 4]!,
        offset: n[at + 5]!,
        source: n[at + 6]!,
        phase: n[at + 7]!,
        index: n[at + 8]!,
        of: n[at + 9]!,
      }
    case 46:
      return {
        ...said,
        kind: 'promote',
        level: n[at + 4]!,
        count: n[at + 5]!,
        pending: n[at + 6]!,
        list: listAt(n, at, lists),
      }
    case 47:
      return {
        ...said,
        kind: 'stuck',
        level: n[at + 4]!,
        backtracks: n[at + 5]!,
        limit: n[at + 6]!,
      }
    case 48:
      return {
        ...said,
        kind: 'target',
        target: n[at + 4]!,
        best: n[at + 5]!,
        failed: n[at + 6]!,
        nth: n[at + 7]!,
      }
    case 49:
      return {
        ...said,
        kind: 'bottleneck',
        buffer: n[at + 4]!,
        top: n[at + 5]!,
        near: n[at + 6]!,
        second: n[at + 7]!,
        partner: n[at + 8]!,
        list: listAt(n, at, lists),
      }
    case 50:
      return {
        ...said,
        kind: 'abandon',
        buffer: n[at + 4]!,
        why: n[at + 5]!,
        forced: n[at + 6]!,
        budget: n[at + 7]!,
        placed: n[at + 8]!,
        target: n[at + 9]!,
      }
    case 51:
      return {
        ...said,
        kind: 'ready',
        op: n[at + 4]!,
        live: n[at + 5]!,
        after: n[at + 6]!,
        index: n[at + 7]!,
        of: n[at + 8]!,
      }
    case 52:
      return {
        ...said,
        kind: 'forced',
        op: n[at + 4]!,
        count: n[at + 5]!,
      }
    case 53:
      return {
        ...said,
        kind: 'clash',
        buffer: n[at + 4]!,
        other: n[at + 5]!,
        section: n[at + 6]!,
        address: n[at + 7]!,
        from: n[at + 8]!,
        base: n[at + 9]!,
      }
    case 54:
      return {
        ...said,
        kind: 'cut-at',
        nth: n[at + 4]!,
        of: n[at + 5]!,
        op: n[at + 6]!,
        time: n[at + 7]!,
        live: n[at + 8]!,
        operators: listAt(n, at, lists),
      }
    case 55:
      return {
        ...said,
        kind: 'jump',
        level: n[at + 4]!,
        fallback: n[at + 5]!,
        of: n[at + 6]!,
        learned: n[at + 7]! !== 0,
        drawn: n[at + 8]! !== 0,
        threshold: n[at + 9]!,
        list: listAt(n, at, lists),
      }
    case 56:
      return {
        ...said,
        kind: 'score',
        buffer: n[at + 4]!,
        level: n[at + 5]!,
        score: n[at + 6]!,
        weighted: n[at + 7]!,
        chosen: n[at + 8]! !== 0,
        best: n[at + 9]! !== 0,
      }
    default:
      throw new Error(`The module sent an event of kind ${n[at + 1]}, which this page does not know.`)
  }
}
