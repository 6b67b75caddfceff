import { childrenOf } from '#shared/domain/expression/children.ts'
import { parseExpression } from '#shared/domain/expression/parse.ts'
import type { Node } from '#shared/domain/expression/syntax.ts'
import { median, ratios, sum } from '../../test/support/load/statistics.ts'
import type { ExpressionTimes, Passes } from '../support/expressions/expression-process.ts'
import { texts } from '../support/expressions/page.ts'
import type { Pace } from '../support/loads/pace.ts'
import { figure, print, rounded, spread } from '../support/measures/report.ts'
import { startProgram } from '../support/programs/program.ts'

const target = 200_000
const shownExpressions = 8

/**
 * Nodes a second of the expressions of flows, compared with parsing 1,000 items of 1 KB by JSON.parse and validating them by a compiled
 * schema. A node counts once, even if it is evaluated for each element of a list or not at all. Each round runs in a new process, so
 * that its first pass is that of a process that has evaluated nothing before. Then the longest time for which one expression blocks
 * the process, with all steps of a run.
 */
export async function expressions({ rounds, share }: Pace): Promise<void> {
  const nodes = sum(texts.map((text) => countNodes(parseExpression(text))))
  print(`  ${rounded(texts.length)} expressions with ${rounded(nodes)} nodes`)
  const times: ExpressionTimes[] = []
  for (let round = 0; round < rounds; round++) {
    await using program = await startProgram<null>('../expressions/expression-process.ts', null)
    times.push(await program.ask<ExpressionTimes>({ seconds: 2 * share }))
  }
  for (const [title, of] of [
    ['in the first pass', (one: ExpressionTimes) => one.first],
    ['warm', (one: ExpressionTimes) => one.warm],
  ] as const) {
    report(times.map(of), { title, nodes })
  }
  reportMostExpensive(times)
}

function report(passes: readonly Passes[], { title, nodes }: { title: string; nodes: number }): void {
  const of = (what: keyof Passes) => passes.map((pass) => pass[what])
  const perSecond = (what: keyof Passes) => `${spread(of(what).map((ms) => (nodes / ms) * 1_000))} nodes/s`
  const ratio = (what: keyof Passes) => `${spread(ratios(of(what), of('validate')), 2)} of the time of as many items`
  figure(`evaluated ${title}`, `${perSecond('evaluate')}; target >= ${rounded(target)}; ${ratio('evaluate')}`)
  figure(`parsed and checked ${title}`, `${perSecond('parse')}; ${ratio('parse')}`)
  figure(
    `  items ${title}`,
    `${spread(
      of('validate').map((ms) => (ms * 1_000) / texts.length),
      1,
    )} µs each`,
  )
}

/** Reports the texts that took longest in the median of the rounds. */
function reportMostExpensive(times: readonly ExpressionTimes[]): void {
  const [all = []] = times.map(({ mostExpensive }) => mostExpensive)
  const each = all.map(({ text, steps }) => {
    const ms = times.flatMap(({ mostExpensive }) =>
      mostExpensive.filter((one) => one.text === text).map((one) => one.ms),
    )
    return { text, steps, ms }
  })
  const mostExpensive = each.toSorted((a, b) => median(b.ms) - median(a.ms)).slice(0, shownExpressions)
  print('  the most expensive expressions, warm, with all steps of a run')
  for (const { text, steps, ms } of mostExpensive) figure(`  ${spread(ms, 1)} ms`, `${rounded(steps)} steps: ${text}`)
}

function countNodes(node: Node): number {
  const parts = node.kind === 'name' ? [] : node.kind === 'call' ? node.args : childrenOf(node)
  return 1 + sum(parts.map((part) => countNodes(part.kind === 'lambda' ? part.body : part)))
}
