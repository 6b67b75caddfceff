import { countOf, milliseconds } from '#services/dashboard/parts/display/text.tsx'
import type { DoneStep } from '../layout/way.ts'

/** A step in words, such as "step 2, 1.4 ms, 12 expression steps". */
export function stepWords({ n, fuel, durationMs }: DoneStep, isFailed: boolean): string {
  const parts = [`step ${n}`, durationMs !== null && milliseconds(durationMs), countOf(fuel, 'expression step')]
  return [...parts, isFailed && 'failed'].filter(Boolean).join(', ')
}

/** What a step took: its time, or where that is not kept its steps of expressions. */
export function tookWords({ fuel, durationMs }: DoneStep): string {
  return durationMs === null ? countOf(fuel, 'step') : milliseconds(durationMs)
}
