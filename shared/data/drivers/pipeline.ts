import type { Pipeline } from '../database.ts'

type Step = () => Promise<unknown>

/** Each step begins when the one before it is done. */
export const sequential = (async (steps: readonly Step[]) => {
  const answers: unknown[] = []
  for (const step of steps) answers.push(await step())
  return answers
}) as Pipeline

/**
 * All steps begin at once: for a driver that sends in order, and a server that refuses everything behind what it refused,
 * so that of several errors the first is the cause.
 */
export const pipelined = (async (steps: readonly Step[]) => {
  const answers = await Promise.allSettled(steps.map((step) => step()))
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  })
}) as Pipeline
