/** The package's worker in Node. */
import { parentPort } from 'node:worker_threads'
import families from '../../../build/wasm/families.json'
import { serveNode } from '../../../wasm/client/node'
import { HOME } from '../../../wasm/client/visit'
import { load } from './load'

if (parentPort) serveNode(parentPort, { load: () => load(), families: { [HOME]: families.core } })
