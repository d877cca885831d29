/**
 * TFLite Micro's offline plans of a graph that came from a .tflite, in both forms that it takes: as metadata in a copy of the model, and
 * as a C struct for its NonPersistentMemoryPlannerShim (tensorflow/lite/micro/docs/memory_management.md and offline_memory_plan.md).
 */
import type { Plan } from '../../../wasm/client/types'
import type { Scratch, TfliteNumbers } from '../import/imported'
import { Refusal } from '../import/refusal'
import { fromBytes } from '../import/source'
import { TfliteFile } from '../import/tflite/file'
import { OFFLINE_PLAN } from '../import/tflite/schema'
import { withBuffer, withOrder } from '../import/tflite/write'

/** What TFLite Micro aligns its arena and the sizes in it to (MicroArenaBufferAlignment). */
const ALIGNMENT = 16
const LARGEST = 2 ** 31 - 1
const VERSION = 1
/** Leaves a tensor to the runtime. */
const UNPLANNED = -1

export interface OfflinePlan {
  ok: true
  /** of every tensor of the file, all subgraphs counted through: bytes, UNPLANNED for one that is not planned */
  offsets: number[]
  /** which tensors are planned, in which order, and what to know before it is run */
  notes: string[]
}
export interface NoPlan {
  ok: false
  message: string
}

/** Offsets of the tensors, null for those that the plan does not place. buffers: of the tensors, -1 for none; best: of the buffers. */
export function tensorOffsets(buffers: Int32Array, best: Float64Array): (number | null)[] {
  return Array.from(buffers, (buffer) => (buffer < 0 ? null : (best[buffer] ?? null)))
}

/** The same of a plan of the graph; null if it moves a tensor or copies it out, which TFLite Micro cannot. */
export function stayOffsets(
  { count, item, offset, outside }: Plan['stays'],
  buffers: Int32Array,
): (number | null)[] | null {
  const known = new Map<number, number>()
  for (let stay = 0; stay < count; stay++) {
    const buffer = buffers[item[stay] as number] ?? -1
    if (outside[stay] === 1 || known.has(buffer)) return null
    if (buffer >= 0) known.set(buffer, offset[stay] as number)
  }
  return Array.from(buffers, (buffer) => known.get(buffer) ?? null)
}

/**
 * offsets: per tensor of the graph, null for one that no plan places. Only tensors that TFLite Micro itself places in its arena are
 * planned: constants stay in the model, and variables have memory of their own.
 */
export function offlinePlan(tflite: TfliteNumbers, offsets: readonly (number | null)[]): OfflinePlan | NoPlan {
  const arena = new Set(tflite.arena)
  const scratch = new Set(tflite.scratch.tensors)
  const planned = Array.from({ length: tflite.tensors }, () => UNPLANNED)
  let elsewhere = 0
  let unaligned = 0
  for (const [tensor, offset] of offsets.entries()) {
    const number = tflite.numbers[tensor] ?? null
    if (offset === null) continue
    if (!Number.isSafeInteger(offset) || offset < 0 || offset > LARGEST)
      return { ok: false, message: `Offset ${offset} does not fit: TFLite Micro counts in 32 bits, to ${LARGEST}.` }
    if (number === null || !arena.has(number)) {
      if (!scratch.has(tensor)) elsewhere++
      continue
    }
    if (offset % ALIGNMENT !== 0) unaligned++
    planned[number] = offset
  }
  const count = planned.filter((offset) => offset !== UNPLANNED).length
  if (count === 0)
    return { ok: false, message: 'The plan places none of the tensors that TFLite Micro has in its arena.' }
  const notes = [
    `Planned: ${count} of the ${tflite.tensors} tensors of the file, in its order` +
      `${tflite.subgraphs > 1 ? `, the ${tflite.subgraphs} subgraphs one after the other` : ''}. ` +
      'Constants and variables are not in the arena; -1 leaves a tensor to the runtime.',
  ]
  const known = new Set(tflite.numbers)
  const left = tflite.arena.filter((number) => planned[number] === UNPLANNED && known.has(number)).length
  if (left > 0)
    notes.push(
      `Left to TFLite Micro, which may need more for them: ${left} tensors of its arena that this plan does not place.`,
    )
  if (elsewhere > 0)
    notes.push(`Not written, because TFLite Micro does not place them by their number: ${elsewhere} planned tensors.`)
  if (unaligned > 0)
    notes.push(`${unaligned} offsets are no multiples of ${ALIGNMENT}, which kernels of TFLite Micro may rely on.`)
  if (tflite.subgraphs > 1)
    notes.push(
      'Releases of TFLite Micro differ in how they count the tensors of further subgraphs: check that yours counts them through.',
    )
  return { ok: true, offsets: planned, notes }
}

/** The words of the metadata: version, subgraphs, number of offsets, offsets; 32 bits each, little-endian. */
export function planWords(tflite: TfliteNumbers, plan: OfflinePlan): Uint8Array<ArrayBuffer> {
  const words = [VERSION, tflite.subgraphs, plan.offsets.length, ...plan.offsets]
  const bytes = new Uint8Array(4 * words.length)
  const view = new DataView(bytes.buffer)
  for (const [index, word] of words.entries()) view.setInt32(4 * index, word, true)
  return bytes
}

/** A copy of the model with the plan in its metadata, instead of one that it may have had, and its operators in the order that the plan is for. */
export function modelWithPlan(
  model: Uint8Array,
  tflite: TfliteNumbers,
  plan: OfflinePlan,
  order?: ArrayLike<number>,
): { ok: true; model: Uint8Array<ArrayBuffer> } | NoPlan {
  try {
    const file = new TfliteFile(fromBytes(model))
    const tensors = file.subgraphs().reduce((count, subgraph) => count + subgraph.tensors.length, 0)
    if (tensors !== plan.offsets.length)
      return { ok: false, message: `The plan is for ${plan.offsets.length} tensors, and the model has ${tensors}.` }
    const ordered = order === undefined ? model : withOrder(model, order)
    return { ok: true, model: withBuffer(ordered, OFFLINE_PLAN, planWords(tflite, plan)) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, message: error.message }
    throw error
  }
}

/** As much of a text as may stand in a comment of C. */
function comment(text: string): string {
  return text
    .replace(/[\r\n]/g, ' ')
    .replaceAll('*/', '* /')
    .replaceAll('/*', '/ *')
}

const KERNELS: Readonly<Record<Scratch['kernels'], string>> = {
  reference: "TFLite Micro's reference kernels",
  'cmsis-nn-dsp': 'CMSIS-NN for cores with DSP instructions',
  'cmsis-nn-helium': 'CMSIS-NN for cores with Helium',
  none: 'no kernels that are known',
  log: 'the kernels whose log was read',
}

/** What is said of scratch at the head of a BufferPlan. */
function ofScratch({ tensors, kernels, unknown }: TfliteNumbers['scratch']): string {
  const known = `Behind them are ${tensors.length} entries for what kernels request as scratch, in the order of their requests, by ${KERNELS[kernels]}.`
  if (unknown.length === 0) return known
  const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : ''
  return `${known} WHAT THE KERNELS OF ${comment(unknown.slice(0, 3).join(', '))}${more} REQUEST IS NOT KNOWN: each request needs its entry at its place.`
}

/**
 * The plan as a header. The shim takes a buffer for each request of the allocator, in its order: first the tensors of the arena, in the
 * file's order, planned or not, then what kernels request as scratch. A tensor that nothing uses is at 0.
 * offsets: per tensor of the graph, as the plan was made of. ids: of the graph's tensors, for the comments.
 */
export function bufferPlanHeader(
  name: string,
  tflite: TfliteNumbers,
  plan: OfflinePlan,
  offsets: readonly (number | null)[],
  ids: readonly string[],
): string | NoPlan {
  if (tflite.repeated.length > 0)
    return {
      ok: false,
      message: 'A BufferPlan has one place for each tensor, and this model runs a subgraph in several.',
    }
  const idOf = new Map(tflite.numbers.map((number, tensor) => [number, ids[tensor] ?? '']))
  const open = tflite.arena.filter((number) => plan.offsets[number] === UNPLANNED && idOf.has(number))
  if (open.length > 0)
    return {
      ok: false,
      message: `A BufferPlan places every buffer, and this plan leaves out ${idOf.get(open[0] ?? 0)}${open.length > 1 ? ` and ${open.length - 1} more` : ''}.`,
    }
  const entries = tflite.arena.map((number, index) => {
    const id = idOf.get(number)
    const offset = Math.max(0, plan.offsets[number] ?? 0)
    return `        {${offset}}, /* [${index}] tensor ${number}: ${id === undefined ? 'not used' : comment(id)} */`
  })
  for (const tensor of tflite.scratch.tensors) {
    const offset = offsets[tensor] ?? null
    const id = ids[tensor] ?? ''
    if (offset === null)
      return {
        ok: false,
        message: `A BufferPlan places every buffer, and this plan leaves out ${id}: lower the model with its workspaces.`,
      }
    entries.push(`        {${offset}}, /* [${entries.length}] ${comment(id)} */`)
  }
  return `/*
 * Where TFLite Micro's NonPersistentMemoryPlannerShim puts the buffers of ${comment(name)}.
 *
 * One entry for each tensor in the arena, in the order of the file's tensors, its ${tflite.subgraphs} subgraph(s) one after the other. Constants and
 * variables have none. ${ofScratch(tflite.scratch)}
 */
#pragma once

#include <stdint.h>

#include "tensorflow/lite/micro/memory_planner/memory_plan_struct.h"

/* struct BufferPlan with room for all entries: its own array is declared with one. */
struct ArenascopeBufferPlan {
    int32_t buffer_count;
    tflite::BufferDescriptor buffer_plan_entries[${Math.max(1, entries.length)}];
};

static const ArenascopeBufferPlan kArenascopeBufferPlan = {
    ${entries.length},
    {
${entries.join('\n')}
    },
};

inline const tflite::BufferPlan *ArenascopePlan() {
    return reinterpret_cast<const tflite::BufferPlan *>(&kArenascopeBufferPlan);
}
`
}
