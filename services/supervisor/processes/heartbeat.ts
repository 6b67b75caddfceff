export type Heartbeat = { everyMs: number; maxUnanswered: number }

/**
 * A process is hung that has not answered for a minute. An event loop that is stuck for less is no reason to cut off what it has
 * under way: leases and time limits bound what others wait for it.
 */
export const minuteOfSilence: Heartbeat = { everyMs: 10_000, maxUnanswered: 6 }

/** `answered` is called at each answer; `stop` ends the questions. */
export type HeartbeatWatch = { answered(): void; stop(): void }

/**
 * Asks a process whether it answers, until it is stopped. It counts questions and not time: after a pause of this process, or of the
 * machine, the answers are read before the next question.
 * @param options.onHung called once, when so many questions in a row have no answer
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
