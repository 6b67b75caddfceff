export type Heartbeat = { everyMs: number; maxUnanswered: number }

/**
 * A process that has not answered for a minute is hung. An event loop that is stuck for less is no reason to abort its work: leases
 * and time limits bound how long others wait for it.
 */
export const minuteOfSilence: Heartbeat = { everyMs: 10_000, maxUnanswered: 6 }

/** Call `answered` at each answer; `stop` ends the checks. */
export type HeartbeatWatch = { answered(): void; stop(): void }

/**
 * Checks whether a process answers, until it is stopped. It counts questions, not time: after a pause of this process or of the
 * machine, the answers are read before the next question.
 * @param options.onHung called once, when `maxUnanswered` questions in a row have no answer
 */
export function watchHeartbeat({
  everyMs,
  maxUnanswered,
  ask,
  onHung,
}: Heartbeat & { ask(): void; onHung(silentMs: number): void }): HeartbeatWatch {
  let unanswered = 0
  const timer = setInterval(() => {
    if (unanswered >= maxUnanswered) {
      clearInterval(timer)
      return onHung(everyMs * maxUnanswered)
    }
    unanswered++
    ask()
  }, everyMs)
  return {
    answered() {
      unanswered = 0
    },
    stop: () => clearInterval(timer),
  }
}
