import type { FlowRun, FlowRunWithSteps } from '#client/src/types/flow-resources.ts'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import { compact } from '#shared/json/text/layout.ts'
import { elementsOf, membersOf } from '#shared/json/text/parts.ts'

/** A step of a run. Its values are unchanged JSON texts. */
export type RunStep = {
  node: string
  type: string
  port: string | null
  fuel: number
  /** Null: it was not kept. */
  durationMs: number | null
  cut: boolean
  inputs: readonly (readonly [property: string, value: string])[]
  result: string
}

/** A run to show: the record, its steps, and its values as text. */
export type ShownRun = {
  run: FlowRun
  steps: readonly RunStep[]
  omittedSteps: number
  /** Null: it was too long to keep. */
  input: string | null
  /** The body of the run's response; null: there is none. */
  body: string | null
}

/** Reads a run without losing digits of numbers. @param answered the body of the API's response */
export function readRun(answered: string): ShownRun {
  const text = compact(answered)
  const run = JSON.parse(text) as FlowRunWithSteps
  const members = membersOf(text)
  const answer = members.get('answer')?.value
  return {
    run,
    steps: elementsOf(members.get('steps')?.value ?? '[]').map(readStep),
    omittedSteps: run.omittedSteps ?? 0,
    input: members.get('input')?.value ?? null,
    body: (answer && membersOf(answer).get('body')?.value) ?? null,
  }
}

function readStep(text: string): RunStep {
  const { node, type, port, fuel, durationMs = null, cut = false } = JSON.parse(text)
  const members = membersOf(text)
  const inputs = [...membersOf(members.get('inputs')?.value ?? '{}')]
  return {
    node,
    type,
    port,
    fuel,
    durationMs,
    cut,
    inputs: inputs.map(([name, { value }]) => [name, value]),
    result: members.get('result')?.value ?? 'null',
  }
}

/** The steps of a test from a check, and the node where it failed. @param answered the body of the response to the check */
export function readTestSteps(answered: string, name: string) {
  const results = elementsOf(membersOf(compact(answered)).get('tests')?.value ?? '[]').map(membersOf)
  const result = results.find((members) => members.get('name')?.value === JSON.stringify(name))
  const node: string | null = JSON.parse(result?.get('node')?.value ?? 'null')
  const omittedSteps: number = JSON.parse(result?.get('omittedSteps')?.value ?? '0')
  return { steps: elementsOf(result?.get('steps')?.value ?? '[]').map(readStep), omittedSteps, failedAt: node }
}

/** The text of the expression at a path of a document such as `nodes.0.when`; null: there is none.
 * @param document JSON text, however it is laid out
 */
export function expressionAt(document: string, path: string): string | null {
  const value = findAt(compact(document), `/${path.split('.').join('/')}`)
  const text: unknown = value === null ? null : JSON.parse(value)
  return typeof text === 'string' ? text : null
}

/** A line of a text, with a marker below it at a column. Lines and columns count from 1. */
export function pointedLine(text: string, { line, column }: { line: number; column: number }): string {
  const shown = text.split('\n')[line - 1] ?? ''
  return `${shown}\n${' '.repeat(Math.max(0, Math.min(column - 1, shown.length)))}^`
}

/** The line of the expression in which a run failed, with a marker. @param document the one that ran. @returns undefined: there is none */
export function pointedIn(document: string, error: FlowRun['error']): string | undefined {
  const { path, line, column } = error ?? {}
  if (path === undefined || line === undefined || column === undefined) return undefined
  const text = expressionAt(document, path)
  return text === null ? undefined : pointedLine(text, { line, column })
}
