import test, { type ExecutionContext } from 'ava'
import { startNotices } from '#services/webhook-dispatcher/jobs/notices.ts'
import { createWebhookSecret } from '#shared/crypto/signature.ts'
import type { Database } from '#shared/data/database.ts'
import { writeNotices } from '#shared/data/dispatch/notices.ts'
import { until } from '../../support/assertions/until.ts'
import { testId } from '../../support/databases/contents/rows.ts'
import { testDatabase } from '../../support/databases/database.ts'
import { testHttpClient, testReceiver } from '../../support/receivers/egress.ts'
import type { Reply } from '../../support/receivers/reply.ts'
import { testLog } from '../../support/test-context/test-log.ts'
import { verifyStandardSignature } from '../../support/webhooks/verify-signature.ts'

const secret = createWebhookSecret()
const disabled = {
  webhookId: testId(),
  accountId: testId(),
  description: 'Renders the site.',
  url: 'https://hooks.example.com/in?token=canary-pass',
  reason: '20 deliveries in a row failed for good',
  disabledAt: Date.parse('2026-03-01T12:00:00Z'),
}

async function noted(t: ExecutionContext, reply: Reply, { retrySeconds = [0, 0, 0, 0, 0, 0, 0] } = {}) {
  const { db } = await testDatabase(t)
  const options = { publicUrl: 'https://listd.example', disableAfter: 20, newId: testId }
  await db.transaction((tx) => writeNotices(tx, [disabled], options))
  const receiver = await testReceiver(t, { reply })
  const client = await testHttpClient(t, receiver)
  const { log, lines } = testLog(t, 'webhook-dispatcher')
  const start = (owner: string, notifications = { url: receiver.url, secret }) => {
    const job = startNotices({ db, log, owner, client, notifications, webhooks: { retrySeconds, timeoutMs: 10_000 } })
    t.teardown(job.stop)
    return job
  }
  const events = () => lines.map((line) => JSON.parse(line).event)
  return { db, receiver, start, events, lines }
}

const left = (db: Database) => db.all('select attempts from notices')

test('a notice says which webhook was disabled and where to look, shows only the host of its URL, and is signed', async (t) => {
  const { db, receiver, start, events, lines } = await noted(t, {})
  start('a')
  const [request] = await receiver.received(1)
  if (!request) return t.fail('nothing was received')
  t.deepEqual(verifyStandardSignature(request, secret), {
    type: 'webhook.disabled',
    createdAt: '2026-03-01T12:00:00.000Z',
    data: {
      webhook: { id: disabled.webhookId, description: 'Renders the site.', host: 'hooks.example.com' },
      account: { id: disabled.accountId },
      reason: disabled.reason,
      failedSince: '2026-03-01T12:00:00.000Z',
      link: `https://listd.example/dashboard/webhooks/${disabled.webhookId}`,
    },
  })
  await until(async () => (await left(db)).length === 0)
  await until(() => events().includes('notification.sent') || events())
  t.false(lines.join().includes('canary-pass'))
})

test('a failed notice is sent again with the same id and bytes, at most eight times, and then dropped with a log line', async (t) => {
  const { db, receiver, start, events } = await noted(t, { status: 500 })
  const job = start('a')
  const seen = async () => {
    job.wake()
    return events().at(-1) === 'notification.given_up' || events()
  }
  await until(seen)
  t.is(receiver.requests.length, 8)
  const ids = new Set(receiver.requests.map(({ headers, body }) => `${headers['webhook-id']} ${body}`))
  t.is(ids.size, 1)
  t.deepEqual(await left(db), [])
})

test('a stop aborts an open attempt, and the next dispatcher sends the notice again', async (t) => {
  const { db, receiver, start, lines } = await noted(t, { hang: 'before-head' })
  const job = start('a')
  await receiver.received(1)
  await job.stop()
  t.like(JSON.parse(lines.at(-1) ?? ''), { event: 'notification.failed', error: 'interrupted' })
  t.deepEqual(await left(db), [{ attempts: 1 }])
  receiver.reply = {}
  start('b')
  await until(async () => (await left(db)).length === 0)
  t.is(receiver.requests.length, 2)
})

test('of several dispatchers one sends a notice, and a notice that waits for its retry is not sent', async (t) => {
  const { db, receiver, start, events } = await noted(t, { status: 500 }, { retrySeconds: [3_600] })
  const jobs = ['a', 'b', 'c'].map((owner) => start(owner))
  await until(() => events().includes('notification.failed') || events())
  for (const job of jobs) job.wake()
  await Promise.all(jobs.map((job) => job.stop()))
  t.is(receiver.requests.length, 1)
  t.deepEqual(
    (await left(db)).map(({ attempts }) => Number(attempts)),
    [1],
  )
})

test('without an address nothing is sent, and written notices wait', async (t) => {
  const { db, receiver, start } = await noted(t, {})
  start('a', { url: '', secret: '' }).wake()
  t.is((await left(db)).length, 1)
  t.deepEqual(receiver.requests, [])
})
