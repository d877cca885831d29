import type { ImportAnswers } from '../../import/imported'

/**
 * The lowering that belongs to a planner of the field: with another one its namesake here answers another question than it does. By solver; options at
 * their defaults are left out, as of any lowering.
 */
interface PlannerLowering {
  lowering: Readonly<Record<string, string>>
  /** what it does to tensors, for a sentence */
  does: string
  /** what it is called in a terminal, where that is not its solver */
  name?: string
  /** how it reads a .tflite, where that is not as it is read here */
  answers?: Pick<ImportAnswers, 'fold' | 'runs'>
}

export const PLANNERS: Readonly<Record<string, PlannerLowering>> = {
  // micro_allocation_info.cc: each tensor is a request of its own, rounded up by CreatePlan() in micro_allocator.cc; scratch is among them
  tflm: {
    lowering: { alias: 'false', alignment: '16', align_by: 'size' },
    does: 'gives each tensor memory of its own, a reshape’s too, and counts sizes in steps of 16 bytes',
    // it unpacks weights in each run, and allocates subgraphs that nobody runs
    answers: { fold: false, runs: 'all' },
  },
  // arena_planner.cc: IdentifyInPlaceTensors() and InputTensorCanBeShared(); Interpreter keeps inputs from the start to the end
  litert: {
    lowering: {
      preserve_inputs: 'true',
      inplace: 'true',
      workspace: 'false',
      share_io: 'false',
      inplace_ops: 'arithmetic',
    },
    does: 'keeps inputs to the end, writes in place where it can, and lets nothing share memory with inputs and outputs',
  },
  // live_range.py: merge_elementwise_op_ranges(), and sizes in steps of 16 bytes
  'vela-hill-climb': {
    lowering: { inplace: 'true', alignment: '16', align_by: 'size' },
    does: 'writes elementwise results in place and counts sizes in steps of 16 bytes, of operators that it has fused and tiled first, which is not done here',
    name: 'vela',
  },
}

/** What of it a .tflite is not read with, null if there is nothing. */
export function plannerAnswers(solver: string, answers: ImportAnswers): Partial<ImportAnswers> | null {
  const wanted = Object.hasOwn(PLANNERS, solver) ? PLANNERS[solver]?.answers : undefined
  const differs = wanted && (wanted.fold !== answers.fold || wanted.runs !== answers.runs)
  return differs ? wanted : null
}

/** The one that belongs to the solver, null if none does or the model is lowered so already. */
export function plannerLowering(solver: string, lowering: Readonly<Record<string, string>>): PlannerLowering | null {
  const found = Object.hasOwn(PLANNERS, solver) ? PLANNERS[solver] : undefined
  if (!found) return null
  const names = new Set([...Object.keys(found.lowering), ...Object.keys(lowering)])
  const differs = [...names].some((name) => found.lowering[name] !== lowering[name])
  return differs ? found : null
}
