import { countOf, milliseconds } from '#services/dashboard/parts/display/text.tsx'
import type { DoneStep } from '../layout/way.ts'

/** A step in words, for example "step 2, 1.4 ms, 12 expression steps". */
export function stepWords({ n, fuel, durationMs }: DoneStep, isFailed: boolean): string {
  const parts = [`step ${n}`, durationMs !== null && milliseconds(durationMs), countOf(fuel, 'expression step')]
  return [...parts, isFailed && 'failed'].filter(Boolean).join(', ')
}

/** The cost of a step: its time or, if that is not stored, its expression steps. */
export function tookWords({ fuel, durationMs }: DoneStep): string {
  return durationMs === null ? countOf(fuel, 'step') : milliseconds(durationMs)
}
