import { createHints, type Hint, type Hints } from '#shared/domain/realtime/hints.ts'

/** Hints that wait to be sent to other processes. */
export type HintQueue = { add(accountId: string, hints: readonly Hint[]): void; close(): void }

/** Maximum hints of one message, far below the message limit of NATS. */
const maxSent = 100

/** Merges hints of an account, and sends them `everyMs` after the first. */
export function createHintQueue(
  everyMs: number,
  send: (message: { accountId: string; hints: Hint[] }) => void,
): HintQueue {
  const waiting = new Map<string, Hints>()
  let timer: NodeJS.Timeout | undefined

  function sendAll(): void {
    timer = undefined
    for (const [accountId, hints] of waiting) {
      const taken = hints.take()
      for (let n = 0; n < taken.length; n += maxSent) send({ accountId, hints: taken.slice(n, n + maxSent) })
    }
    waiting.clear()
  }

  return {
    add(accountId, hints) {
      const joined = waiting.get(accountId) ?? createHints()
      waiting.set(accountId, joined)
      for (const hint of hints) joined.add(hint)
      timer ??= setTimeout(sendAll, everyMs).unref()
    },
    close: () => clearTimeout(timer),
  }
}
