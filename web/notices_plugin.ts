/** Puts the notices of what others wrote into dist/, and sees to it that whatever package the page is made of is among them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const FILE = 'THIRD-PARTY.txt'

/** The package that a module is of, '' if it is one of the project. */
function packageOf(module: string): string {
  const [, name = ''] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module) ?? []
  return name
}

export function thirdParties(root: string): Plugin {
  return {
    name: 'arenascope-third-parties',
    apply: 'build',
    generateBundle(_, bundle) {
      const source = readFileSync(join(root, FILE), 'utf8')
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const used = new Set(chunks.flatMap((chunk) => Object.keys(chunk.modules).map(packageOf)))
      const missing = [...used].filter((name) => name !== '' && !source.includes(`\n${name} `))
      if (missing.length > 0) this.error(`${FILE} says nothing of ${missing.join(', ')}`)
      this.emitFile({ type: 'asset', fileName: FILE, source })
    },
  }
}
