import type { Client, CursorPage } from '#client/src/main.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { createLogFollower, type Logged } from './log-follower.ts'
import { patiently } from './patiently.ts'

/**
 * Follows a log of the API by reading it repeatedly.
 * @param log.call such as `GET /events`
 * @param log.newest the newest row of the log; null: the log is empty
 * @param log.startAt where the first round begins, in epoch milliseconds; absent: shortly before the newest row
 */
export function followLog<Row extends Logged>(
  terminal: Terminal,
  client: Client,
  log: { call: string; filters?: object; newest: Row | null; startAt?: number | undefined; signal: AbortSignal },
) {
  const { call, filters, signal, ...from } = log
  const { send } = client.with({ retries: 0 })
  const order = { order: 'createdAt', direction: 'asc', limit: 100 }
  return createLogFollower<Row>(
    (query) => {
      const options = { ...filters, ...order, ...query, signal }
      return patiently(terminal, { signal }, () => send<CursorPage<Row>>(call, { options }))
    },
    { ...from, now: () => performance.now() },
  )
}
