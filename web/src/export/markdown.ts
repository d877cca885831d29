/** The result as Markdown, for an issue, a README or a message. */
import { bytesIn, byteUnit, exactBytes, percent, seconds, thousands } from '../base/format'
import type { Facts } from './facts'

/** A text that Markdown shows letter for letter, in a table too. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&')
}

const code = (text: string) => (text.includes('`') ? escapeMarkdown(text) : `\`${text.replaceAll('|', '\\|')}\``)

/** link: '' for none. */
export function resultMarkdown(facts: Facts, link: string): string {
  const { problem } = facts.opened
  const { run } = facts
  const unit = byteUnit(facts.capacity)
  const amount = (n: number) => (unit.name === '' ? exactBytes(n) : `${bytesIn(n, unit)} (${exactBytes(n)})`)
  const rows: [string, string][] = [
    ['Problem', `${escapeMarkdown(facts.name)}, ${thousands(problem.count)} buffers`],
    ['Capacity', amount(facts.capacity)],
    ['Lower bound', amount(problem.lowerBound)],
  ]
  if (facts.profile !== '') rows.push(['Memory', escapeMarkdown(facts.profile)])
  if (facts.solver !== null) rows.push(['Solver', escapeMarkdown(facts.solver.title)])
  if (run !== null) {
    const { stats, config } = run
    const options = Object.entries(config.options).map(([name, value]) => code(`${name}=${value}`))
    if (config.goal !== undefined) rows.push(['Goal', config.goal])
    if (options.length > 0) rows.push(['Options', options.join(' ')])
    if (config.seed !== 1) rows.push(['Seed', thousands(config.seed)])
    rows.push(['Outcome', `**${escapeMarkdown(run.outcome)}**`])
    if (stats.height >= 0) {
      rows.push(['Height', amount(stats.height)])
      if (stats.lowerBound > 0) rows.push(['Fragmentation', percent(stats.height / stats.lowerBound - 1)])
    }
    rows.push(
      ['Steps', thousands(stats.steps)],
      ['Backtracks', thousands(stats.backtracks)],
      ['Time', seconds(stats.seconds)],
      ['Digest', code(stats.digest)],
    )
  }
  const lines = ['| | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)]
  return `${lines.join('\n')}\n${link === '' ? '' : `\n[Open in Arenascope](${link})\n`}`
}
