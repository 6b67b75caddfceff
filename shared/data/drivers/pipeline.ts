import type { Pipeline } from '../database.ts'

type Step = () => Promise<unknown>

/** Starts each step after the previous one has finished. */
export const sequential = (async (steps: readonly Step[]) => {
  const results: unknown[] = []
  for (const step of steps) results.push(await step())
  return results
}) as Pipeline

/**
 * Starts all steps at once. Requires a driver that sends in order, and a server that rejects every statement after a failed one, so that
 * the first error is the cause.
 */
export const pipelined = (async (steps: readonly Step[]) => {
  const results = await Promise.allSettled(steps.map((step) => step()))
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}) as Pipeline
