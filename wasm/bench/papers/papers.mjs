#!/usr/bin/env node
// Every table and figure of the four papers beside what the benches measure here: runs their parts, prints the tables, draws the charts into build/papers, and with
// --commit writes what the page shows.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { imported, ROOT } from '../bundle.mjs'
import { start, understood } from '../command.mjs'
import { FIGURES, PAPERS } from './papers_figures.mjs'
import { LEFT } from '../table.mjs'

const HERE = dirname(fileURLToPath(import.meta.url))
// the others lie beside this one
const FOLDERS = { exact: '..', baselines: '../peers', repack: '../peers' }
const OUT = join(ROOT, 'build', 'papers')
const MEASURED = join(ROOT, 'web/src/state/papers/measured.json')
const PARTS = [...new Map(FIGURES.flatMap(({ bench }) => (bench ? [[bench.join('-'), bench]] : [])))]

const USAGE = `usage: papers.mjs [--part=NAME]... [--keep | --show] [--commit] [--seconds=N] [--ms=N] [--others=N] [--steps=N]

--part: run only these; of the others what build/papers has from an earlier run is taken. --keep: go on where a run was left; --show: run nothing.
--seconds: leave off once so many have passed, between two rows. Where the machine had other work at the time, it is said with the date.
--ms: limit of a run of the baselines (their own); --others: problems of each size for HiGHS and CP-SAT (2); --steps: of figure 14 (100,000).
--commit: write what the page shows (web/src/state/papers/measured.json).
Parts: ${PARTS.map(([name]) => name).join(', ')}
`

/** Others leave less of its caches and of its other half, so that times of the processor are longer as well. */
const BUSY = 'beside other work, which makes times longer'
/** Work of others, in processors, from which on it counts: a bench is one itself. */
const OTHER_WORK = 1.5

/** Networks of the zoo for figure 18: each is packed 21 times. `bench repack` takes all of them. */
const REPACKED =
  'resnet50_fpn,darts_v2,pnasnet5_large,resnet50,blazeface,r2plus1d_18,stereonet,squeezenet1_1,densenet121,mnasnet1_3,darts_v1,nasnet_a_large,amoebanet_d,darts_nasnet,resnet152,resnext50,nasnet_a_mobile,darts_cifar,inception_v3,inception_v4,inception_resnet_v2,deeplabv3_resnet50,fcn_resnet50,lraspp_mobilenetv3'
/** Those whose training step is packed: three times the operators. */
const TRAINED =
  'squeezenet1_1,resnet50,blazeface,mnasnet1_3,vit_b_16,inception_v3,unet,resnet50_fpn,mobilenet_v2,srgan,r2plus1d_18'

const recordOf = (name) => join(OUT, `${name}.jsonl`)

function options() {
  const { values } = understood(
    {
      options: {
        part: { type: 'string', multiple: true, default: [] },
        keep: { type: 'boolean', default: false },
        show: { type: 'boolean', default: false },
        commit: { type: 'boolean', default: false },
        seconds: { type: 'string', default: 'Infinity' },
        ms: { type: 'string', default: '0' },
        others: { type: 'string', default: '2' },
        steps: { type: 'string', default: '100000' },
        help: { type: 'boolean', default: false },
      },
    },
    USAGE,
  )
  const known = values.part.every((name) => PARTS.some(([part]) => part === name))
  if (!values.help && known) return values
  process.stderr.write(USAGE)
  process.exit(values.help ? 0 : 2)
}

/** Its rows of a run that was left, unless that was under other limits. */
function rowsOf(name, limits, keep) {
  const rows = `${recordOf(name)}.rows`
  const head = JSON.stringify(['limits', limits])
  const same = keep && existsSync(rows) && readFileSync(rows, 'utf8').startsWith(`${head}\n`)
  if (!same) writeFileSync(rows, `${head}\n`)
  return rows
}

/** Has a part of a bench take its tables down. What it had before goes when it is there. */
function measure(name, [bench, part], { ms, others, steps, keep, until }) {
  const before = loadavg()[0]
  const file = `${recordOf(name)}.next`
  rmSync(file, { force: true })
  const own = {
    baselines: [...(ms === '0' ? [] : [`--ms=${ms}`]), `--others=${others}`],
    figure14: ['--instances=40', `--steps=${steps}`],
    repack: [`--networks=${part === 'training' ? TRAINED : REPACKED}`],
  }
  const more = own[bench] ?? []
  const { status } = spawnSync(
    process.execPath,
    [join(HERE, FOLDERS[bench] ?? '.', `${bench}.mjs`), ...(part ? [`--part=${part}`] : []), ...more],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        ARENASCOPE_RECORD: file,
        ARENASCOPE_KEPT: rowsOf(name, more, keep),
        ARENASCOPE_UNTIL: until,
      },
    },
  )
  if (status === LEFT) {
    console.error(`${name}: not finished; --keep goes on with it`)
    return
  }
  if (status !== 0) throw new Error(`the bench ${bench} failed`)
  const tables = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
  const made = {
    date: new Date().toISOString().slice(0, 10),
    machine: cpus()[0]?.model.trim() ?? '',
    limits: more,
    busy: Math.max(before, loadavg()[0] - 1) > OTHER_WORK,
    tables,
  }
  rmSync(file, { force: true })
  writeFileSync(recordOf(name), JSON.stringify(made))
}

const taken = (name) => (existsSync(recordOf(name)) ? JSON.parse(readFileSync(recordOf(name), 'utf8')) : null)

/** A figure with what was measured of it; without a measurement it has no table, and says so where it could have one. */
function joined({ bench, record, ...figure }) {
  if (!bench || figure.same) return figure
  const [script, part] = bench
  const run = taken(bench.join('-'))
  const table = run?.tables.find(({ id }) => id === record)
  const command = ['./build.sh bench', script, ...(part ? [`--part=${part}`] : []), ...(run?.limits ?? [])].join(' ')
  if (!table) return { ...figure, command }
  const { columns, rows, chart, note } = table
  return {
    ...figure,
    command,
    date: run.date,
    machine: run.machine,
    ...(run.busy ? { busy: true } : {}),
    ours: { columns, rows, charts: [chart].flat().filter(Boolean), note },
  }
}

const cells = (texts) => `| ${texts.map((text) => String(text).replaceAll('|', '\\|')).join(' | ')} |`

function markdown(titles, rows) {
  return [cells(titles), cells(titles.map(() => '---')), ...rows.map(cells)].join('\n')
}

/** One figure as Markdown: what the paper says, then ours. */
function told({ paper, where, title, theirs, said, why, command, ours, date, machine, busy }) {
  const name = PAPERS.find(({ id }) => id === paper)?.title
  const parts = [`### ${name}, ${where}: ${title}`]
  if (said) parts.push(`The paper: ${said}`)
  if (theirs) parts.push(markdown(theirs.titles, theirs.rows))
  if (ours) {
    parts.push(`Here (${date}, ${machine}${busy ? `, ${BUSY}` : ''}; \`${command}\`):`)
    parts.push(
      markdown(
        ours.columns.map((column) => column.title),
        ours.rows.map((row) => row.cells),
      ),
    )
    if (ours.note) parts.push(ours.note)
  } else if (command) parts.push(`Not measured: \`${command}\`.`)
  // of what was not measured nobody has seen a difference
  if (ours || !command) parts.push(`Why they differ: ${why}`)
  return `${parts.join('\n\n')}\n`
}

const fileOf = ({ paper, where }, k, all) =>
  `${paper}-${where.toLowerCase().replace(/[^a-z0-9]+/g, '-')}${all.length > 1 ? `-${'ab'[k]}` : ''}.svg`

/** What the page shows, a figure on each line. */
function written(figures) {
  const lines = figures.map((figure) => JSON.stringify(figure)).join(',\n')
  return `{"papers":${JSON.stringify(PAPERS)},\n"figures":[\n${lines}\n]}\n`
}

async function main() {
  const asked = options()
  if (asked.help) return 0
  mkdirSync(OUT, { recursive: true })
  const until = Date.now() + 1000 * Number(asked.seconds)
  for (const [name, bench] of PARTS) {
    const isKept = asked.keep && existsSync(recordOf(name))
    const named = asked.part.length > 0 ? asked.part.includes(name) : !isKept
    if (named && !asked.show && Date.now() < until) measure(name, bench, { ...asked, until })
  }
  const figures = FIGURES.map(joined)
  const { chartSvg } = await imported('papers/papers_svg.ts')
  for (const figure of figures)
    for (const [k, chart] of (figure.ours?.charts ?? []).entries())
      writeFileSync(
        join(OUT, fileOf(figure, k, figure.ours.charts)),
        chartSvg(chart, `${figure.where}: ${figure.title}`),
      )
  const text = figures.map(told).join('\n')
  console.log(text)
  writeFileSync(join(OUT, 'papers.md'), text)
  if (asked.commit) writeFileSync(MEASURED, written(figures))
  const missing = figures.filter(({ command, ours }) => command && !ours)
  for (const { paper, where } of missing) console.error(`not measured: ${paper}, ${where}`)
  return 0
}

start(main)
