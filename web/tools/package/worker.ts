/** The package's worker in a browser: the whole module, whatever is asked. */
import families from '../../../build/wasm/families.json'
import { serve } from '../../../wasm/client/serve'
import { HOME } from '../../../wasm/client/visit'
import { load } from './browser'

serve({ load: () => load(), families: { [HOME]: families.core } })
