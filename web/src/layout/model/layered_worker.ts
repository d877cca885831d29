/** Lays graphs out beside the page: a large one takes longer than a frame. Answers each input with its layout, in order. */
import { sayAlive } from '../../../../wasm/client/alive'
import { type LayeredInput, layered } from './layered'

self.onmessage = ({ data }: MessageEvent<LayeredInput>) => self.postMessage(layered(data))

sayAlive()
