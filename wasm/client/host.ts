/** What the client has of its host and of the module, in types that need not those of the DOM: programs may be without them. */

/** The class of that name, where the program's types have it. */
export type Host<K extends string, Without = never> =
  typeof globalThis extends Record<K, { prototype: infer T }> ? T : Without

/** A module's bytes, or the response that brings them. */
export type Source = ArrayBuffer | ArrayBufferView<ArrayBuffer> | Host<'Response'>

/** As much of a Worker as the client uses: a browser's fits, and one of Node's with a small adapter. What goes to and fro protocol.ts has. */
export interface WorkerLike {
  onmessage: ((event: Host<'MessageEvent', { data: unknown }>) => void) | null
  onerror: ((event: Host<'ErrorEvent', { message: string }>) => void) | null
  onmessageerror: ((event: Host<'MessageEvent', { data: unknown }>) => void) | null
  /** it has ended by itself; never called where the host does not know */
  onclose: (() => void) | null
  postMessage(request: unknown, transfer: ArrayBuffer[]): void
  terminate(): void
}

/** The functions of wasm/glue/, of which the lean module has not all (exports.txt). Pointers and counts are 32-bit integers, everything else is a double or a flag. */
export interface Exports {
  memory: { readonly buffer: ArrayBuffer }
  _initialize(): void
  glue_session_new(first: number, second: number): number
  glue_session_free(session: number): void
  glue_input(session: number, bytes: number): number
  glue_out(session: number): number
  glue_bytes(session: number): number
  glue_manifest(session: number): number
  glue_profile(session: number, alignment: number, alignBy: number, bank: number): number
  glue_read(session: number): number
  glue_read_step(session: number, rows: number, cancel: number): number
  glue_open(session: number): number
  glue_open_graph(session: number, optionBytes: number): number
  glue_open_packed(session: number, numbers: number, words: number, textBytes: number): number
  glue_again(session: number): number
  glue_graph(session: number): number
  /** of the whole module alone */
  glue_program?(session: number, capacity: number, model: number, most: number): number
  glue_certify?(session: number, goal: number, capacity: number, seed: number, budget: number): number
  glue_certify_step?(session: number, steps: number): number
  glue_check_proof?(session: number): number
  glue_is_tasks(session: number): number
  glue_open_tasks(session: number): number
  glue_tasks(session: number): number
  glue_tile_options(session: number): number
  glue_tile(session: number, capacity: number): number
  glue_select(session: number, capacity: number, together: number, most: number, seed: number, budget: number): number
  glue_packing(session: number, capacity: number, most: number): number
  glue_problem(session: number): number
  glue_situation(session: number): number
  glue_csv(session: number, withOffsets: number): number
  glue_generate(session: number, n: number, seed: number): number
  glue_run(session: number, goal: number, capacity: number, seed: number, budget: number, keyframeBytes: number): number
  glue_step(session: number, steps: number): number
  glue_cancel(session: number): number
  glue_resume(session: number, budget: number): number
  glue_stats(session: number, ofCursor: number): number
  glue_overview(session: number): number
  glue_best(session: number): number
  glue_plan(session: number): number
  glue_explain(session: number, capacity: number, seed: number, budget: number): number
  glue_explain_step(session: number, steps: number, cancel: number): number
  glue_now(session: number): number
  glue_seek(session: number, step: number, before: number, after: number): number
  glue_find(session: number, from: number, forward: number, limit: number): number
  glue_path(session: number, step: number, levels: number, most: number, limit: number): number
}
