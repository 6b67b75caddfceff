import { standardHeaders } from '#shared/crypto/signature.ts'
import type { Database } from '#shared/data/database.ts'
import {
  findDueNotice,
  type Notice,
  nextNoticeDue,
  postponeNotice,
  removeNotice,
} from '#shared/data/dispatch/notices.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import { retryDelayMs, succeeded } from '#shared/domain/webhook/deliveries/delivery.ts'
import type { Logger } from '#shared/log/logger.ts'
import { userAgent } from '../attempt.ts'
import type { HttpClient } from '../egress/http-client.ts'

type Notifying = {
  db: Database
  log: Logger
  /** Identifies this run of the process. */
  owner: string
  client: Pick<HttpClient, 'post'>
  notifications: { url: string; secret: string }
  webhooks: { retrySeconds: readonly number[]; timeoutMs: number }
}

/** How often to look for changes written by other dispatchers. */
const everyMs = 30_000
/** By how much the lease outlasts the time-out of an attempt. */
const leaseMarginMs = 5_000

/**
 * Sends the notices for operators, in one dispatcher at a time, one after the other, on the retry schedule of deliveries.
 * Without `notifications.url` nothing is sent; notices written before it was removed stay until it is set again.
 * @returns a function that checks for notices at once, and one that stops the job
 */
export function startNotices(options: Notifying): { wake(): void; stop(): Promise<void> } {
  const { db, log, owner, notifications, webhooks } = options
  if (notifications.url === '') return { wake() {}, stop: async () => {} }
  let wake = () => {}
  const ending = new AbortController()
  const stop = startLeasedJob({
    db,
    log,
    owner,
    name: 'notices',
    firstAfterMs: 0,
    everyMs,
    leaseMs: webhooks.timeoutMs + leaseMarginMs,
    onWake: (start) => {
      wake = start
    },
    async dueInMs() {
      const due = await nextNoticeDue(db)
      return due === null ? null : due - (await db.now())
    },
    async round(shouldContinue) {
      while (shouldContinue()) {
        const notice = await findDueNotice(db)
        if (notice === null) return
        await send(notice, options, ending.signal)
      }
    },
  })
  return {
    wake: () => wake(),
    // The end of the process does not wait for a receiver that hangs.
    stop() {
      ending.abort()
      return stop()
    },
  }
}

/** Signed only by the public standard: a notice does not belong to a webhook with its own secret. */
async function send(
  notice: Notice,
  { db, log, client, notifications, webhooks }: Notifying,
  signal: AbortSignal,
): Promise<void> {
  const { url, secret } = notifications
  const body = Buffer.from(notice.body, 'utf8')
  const signed = standardHeaders({ secrets: [secret], id: notice.id, body, at: Date.now() })
  const headers = ['content-type', 'application/json', 'user-agent', userAgent, ...signed.flat()]
  const outcome = await client.post({ key: 'notices', url, headers, body, signal })
  const attempts = notice.attempts + 1
  const about = { webhookId: notice.webhookId, host: new URL(url).host, attempts }
  if (succeeded(outcome)) {
    await removeNotice(db, notice.id)
    log('notification.sent', about)
    return
  }
  const delayMs = outcome.error === 'interrupted' ? 0 : retryDelayMs(attempts, webhooks.retrySeconds)
  log(delayMs === null ? 'notification.given_up' : 'notification.failed', {
    ...about,
    status: outcome.status,
    error: outcome.error,
  })
  if (delayMs === null) await removeNotice(db, notice.id)
  else await postponeNotice(db, notice, delayMs)
}
