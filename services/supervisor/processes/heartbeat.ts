import type { ChildProcess } from 'node:child_process'
import { isPong, type ToService } from '#shared/lifecycle/messages.ts'

export type Heartbeat = { everyMs: number; maxUnanswered: number }

/**
 * A service is hung that has not answered for a minute. An event loop that is stuck for less is no reason to cut off what it has
 * under way: leases and time limits bound what others wait for it.
 */
export const serviceHeartbeat: Heartbeat = { everyMs: 10_000, maxUnanswered: 6 }

/**
 * Asks a process whether its event loop turns, until told to stop. It counts questions and not time: after a pause of this process, or
 * of the machine, the answers are read before the next question.
 * @param options.onHung called once, when so many questions in a row have no answer
 * @returns stops asking
 */
export function watchHeartbeat(
  child: ChildProcess,
  { everyMs, maxUnanswered, onHung }: Heartbeat & { onHung(): void },
): () => void {
  let unanswered = 0
  const timer = setInterval(() => {
    if (unanswered >= maxUnanswered) {
      clearInterval(timer)
      return onHung()
    }
    unanswered++
    // Whether it is sent does not matter: what is not sent has no answer.
    child.send({ ping: true } satisfies ToService, () => {})
  }, everyMs)
  child.on('message', (message) => {
    if (isPong(message)) unanswered = 0
  })
  return () => clearInterval(timer)
}
