import { median } from '../../../test/support/load/statistics.ts'
import { print, rounded } from '../measures/report.ts'
import type { Cpu, Measured } from './measure.ts'

/** The runs of one operation at each size, smallest first. */
export type Row = { title: string; runs: readonly (readonly Measured[])[] }

const signs: Record<string, string> = { QUESTION_TOO_BROAD: 'too broad' }

/** Prints the head of the table: for each size the CPU of service and database in microseconds, and its ratio to the smallest size. */
export function printHead(sizes: readonly number[]): void {
  const columns = sizes.flatMap((size, n) => (n === 0 ? [rounded(size)] : [rounded(size), 'ratio']))
  print(`\n| µs of CPU, service + database | ${columns.join(' | ')} |`)
  print(`|---|${columns.map(() => '---|').join('')}`)
}

/** Prints a row of the table: medians, and the marks of incomplete answers. */
export function printRow({ title, runs }: Row): void {
  const cells = runs.flatMap((ofSize, n) => {
    const cell = `${costOf(ofSize)}${marksOf(ofSize)}`
    return n === 0 ? [cell] : [cell, `**${rounded(medianCpu(ofSize) / medianCpu(runs[0] ?? []), 2)}**`]
  })
  print(`| ${title} | ${cells.join(' | ')} |`)
}

function costOf(runs: readonly Measured[]): string {
  const of = (part: keyof Cpu) => rounded(median(runs.map(({ cpu }) => cpu[part])))
  return runs.every(({ cpu }) => cpu.database === 0) ? of('service') : `${of('service')} + ${of('database')}`
}

function medianCpu(runs: readonly Measured[]): number {
  return median(runs.map(({ cpu: { service, database } }) => service + database))
}

function marksOf(runs: readonly Measured[]): string {
  const marks = [...new Set(runs.flatMap((run) => run.marks))].map((mark) => signs[mark] ?? mark)
  return marks.length === 0 ? '' : ` (${marks.join(', ')})`
}
