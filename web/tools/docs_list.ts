/** The pages of the documentation, in their order: where each comes from, and its name there and in the site. */
import { type Format, LISTS, LOGS, MODELS } from '../src/panels/problem/format_list'

export interface Doc {
  name: string
  title: string
  /** a Markdown file of the project, or text */
  file?: string
  text?: string
}

const code = (text: string) => text.split('\n').map((line) => `\`${line}\``)
const table = (title: string, formats: readonly Format[]) =>
  [
    `## ${title}`,
    '| format | files | what it becomes | how one is made |',
    '| --- | --- | --- | --- |',
    ...formats.map(({ title, files, is, how }) => `| ${title} | ${files} | ${is} | ${how && code(how).join('<br>')} |`),
  ].join('\n')

const FORMATS = `# Formats

A file is known by what is in it, not by its name, and stays on the machine. The page, \`npx arenascope\` and Python's \`Problem.read\` read them all.

${table('Models', MODELS)}

${table('What a tool planned', LOGS)}

${table('Lists', LISTS)}
`

interface Solver {
  id: string
  title: string
  paper: string
  summary: string
  options: { name: string; default?: unknown; help?: string }[]
}

function solverList(solvers: readonly Solver[]): string {
  const rows = solvers.map(({ id, title, summary, paper }) => `| \`${id}\` | ${title} | ${summary} | ${paper} |`)
  return ['# Solvers', '', '| id | name | what it does | source |', '| --- | --- | --- | --- |', ...rows, ''].join('\n')
}

const solve = (folder: string) => `core/src/solve/${folder}/README.md`

export function docs(solvers: readonly Solver[]): Record<string, Doc[]> {
  return {
    Begin: [
      { name: 'index', title: 'First five minutes', file: 'web/docs/first-five-minutes.md' },
      { name: 'formats', title: 'Formats', text: FORMATS },
      { name: 'buffer-csv', title: 'Buffer CSV', file: 'core/src/io/README.md' },
      { name: 'links', title: 'Links', file: 'web/docs/links.md' },
      { name: 'embedding', title: 'Embedding', file: 'web/docs/embedding.md' },
    ],
    Languages: [
      { name: 'library', title: 'C', file: 'core/README.md' },
      { name: 'python', title: 'Python', file: 'core/python/README.md' },
      { name: 'python-plugins', title: 'Python: plug-ins', file: 'core/python/PLUGINS.md' },
      { name: 'python-sweeps', title: 'Python: sweeps', file: 'core/python/SWEEPS.md' },
      { name: 'npm', title: 'JavaScript', file: 'web/tools/package/README.md' },
    ],
    Solvers: [
      { name: 'solvers', title: 'All of them', text: solverList(solvers) },
      { name: 'exact', title: 'Exact', file: solve('exact') },
      { name: 'large', title: 'Large', file: solve('large') },
      { name: 'minimalloc', title: 'MiniMalloc', file: solve('minimalloc') },
      { name: 'telamalloc', title: 'TelaMalloc', file: solve('telamalloc') },
      { name: 'taa', title: 'TAA', file: solve('taa') },
      { name: 'cosma', title: 'COSMA', file: solve('cosma') },
      { name: 'greedy', title: 'Greedy', file: solve('greedy') },
      { name: 'climb', title: 'Hill climbs', file: solve('climb') },
      { name: 'list-schedule', title: 'Schedules', file: solve('list_schedule') },
      { name: 'baselines', title: 'Baselines', file: solve('baselines') },
      { name: 'explain', title: 'Why not?', file: solve('explain') },
      { name: 'proof', title: 'Certificates', file: 'core/src/proof/README.md' },
    ],
  }
}
