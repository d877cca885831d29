/** Fourier transforms. */
import { type Call, type Results, type Rules, tensor } from './rule'

function dft(call: Call): Results {
  const input = call.rank(0, 2)
  const axis = call.axis(
    call.opset < 20 ? call.int('axis', 1) : call.has(2) ? (call.values(2)[0] ?? -2) : -2,
    input.length,
  )
  const half = call.int('onesided', 0) === 1
  const inverse = call.int('inverse', 0) === 1
  const stated = call.has(1) ? call.values(1)[0] : undefined
  const out = [...input]
  if (stated !== undefined) out[axis] = stated
  if (half && !inverse) out[axis] = Math.floor((out[axis] as number) / 2) + 1
  // the inverse of half a spectrum is real
  else if (half && stated === undefined) out[axis] = 2 * ((out[axis] as number) - 1)
  out[input.length - 1] = half && inverse ? 1 : 2
  return [tensor(call.dtype(0), out)]
}

function stft(call: Call): Results {
  const [batch, length] = call.rank(0, 2, 3) as [number, number]
  const step = call.values(1)[0] ?? 0
  const frame = call.has(3) ? call.values(3)[0] : call.has(2) ? call.shape(2)[0] : undefined
  if (step < 1 || frame === undefined || frame > length)
    call.wrong(`frames of ${frame} in steps of ${step} do not fit ${length} samples`)
  const bins = call.int('onesided', 1) === 1 ? Math.floor(frame / 2) + 1 : frame
  return [tensor(call.dtype(0), [batch, Math.floor((length - frame) / step) + 1, bins, 2])]
}

export const signals: Rules = { DFT: dft, STFT: stft }
