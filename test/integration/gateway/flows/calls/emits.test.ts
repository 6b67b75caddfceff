import test from 'ava'
import { flowRoutes } from '#services/gateway/resources/flows/calls/routes.ts'
import { deactivateWebhook } from '#shared/data/webhooks/webhook-activity.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { makeWebhook, testId } from '../../../../support/databases/contents/rows.ts'
import { addFlow, runsOf } from '../../../../support/flows/stored-flows.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { call } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Credentials

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: flowRoutes })
  const { db } = gateway.deps
  account = await makeAccount(db)
  token = await account.token()
  await addList(db, account.accountId, { pathName: 'orders' })
})

const run = (path: string, body: unknown) =>
  call(gateway.port, { method: 'POST', path: `/flows/${path}`, body, headers: token })

/** A flow that emits to webhooks, creates an order, and may fail afterwards. */
const flow = (name: string, webhooks: readonly string[]) => ({
  version: 1,
  name,
  entry: { type: 'endpoint', path: name },
  nodes: [
    { id: 'emit', type: 'emit', webhooks, payload: '{each: item, text: input.text}', each: 'range(input.times)' },
    { id: 'keep', type: 'create-item', list: 'orders', data: '{text: input.text}' },
    { id: 'check', type: 'require', when: 'input.good', message: 'not good' },
    { id: 'answer', type: 'respond', body: 'steps.emit' },
  ],
  edges: [
    ['emit', 'keep'],
    ['keep', 'check'],
    ['check', 'answer'],
  ],
})

test.serial(
  'events that a run emits are committed with it, and its record names webhooks that are deleted or not active',
  async (t) => {
    const { db } = gateway.deps
    const { accountId } = account
    const active = await makeWebhook(db, { accountId, events: [] })
    const disabled = await makeWebhook(db, { accountId })
    await db.transaction((tx) => deactivateWebhook(tx, { accountId, webhookId: disabled, reason: 'test', now: 0 }))
    const webhooks = [active, disabled, testId()]
    const flowId = await addFlow(db, accountId, flow('order', webhooks))
    const { headers, json } = await run('order', { times: 2, text: 'pie', good: true })
    const runId = headers['x-flow-run']
    const [first, second] = (json as unknown as { eventId: string }[]).map(({ eventId }) => eventId)
    const { emits } = JSON.parse((await runsOf(db, flowId))[0]?.report ?? '')
    t.deepEqual(
      emits,
      [first, second].flatMap((eventId) =>
        webhooks.map((webhookId) => ({
          webhookId,
          eventId,
          node: 'emit',
          ...(webhookId !== active && { skipped: true }),
        })),
      ),
    )
    const rows = await db.all<{ event_id: string; body: string; webhook_ids: string }>(
      `select o.event_id, o.webhook_ids, p.body from outbox o join event_payloads p on p.event_id = o.event_id
     where webhook_ids is not null order by o.event_id`,
    )
    for (const [n, { event_id: id, webhook_ids: ids, body }] of rows.entries()) {
      t.deepEqual(JSON.parse(ids), webhooks)
      const { createdAt, data, ...event } = JSON.parse(body)
      t.deepEqual(event, { id, type: 'flow.emit' })
      t.is(new Date(createdAt).toISOString(), createdAt)
      const { actor, ...reported } = data
      t.deepEqual(reported, { flow: { id: flowId, name: 'order' }, runId, payload: { each: n, text: 'pie' } })
      t.like(actor, { authMode: 'flow', flowId, runId, identityId: null })
    }
    t.deepEqual(
      rows.map(({ event_id }) => event_id),
      [first, second],
    )
  },
)

test.serial('a failed run emits and writes nothing', async (t) => {
  const { db } = gateway.deps
  const before = await counts()
  const webhook = await makeWebhook(db, { accountId: account.accountId })
  const flowId = await addFlow(db, account.accountId, flow('fails', [webhook]))
  const failed = await run('fails', { times: 3, text: 'pie', good: false })
  t.like(failed.json, { name: 'FLOW_FAILED', details: { code: 'REQUIRE_FAILED', node: 'check' } })
  t.deepEqual(await counts(), before)
  t.deepEqual(
    (await runsOf(db, flowId)).map(({ status, report }) => [status, JSON.parse(report).emits]),
    [['failed', []]],
  )
})

async function counts(): Promise<unknown> {
  const { db } = gateway.deps
  return db.get('select (select count(*) from outbox) as waiting, (select count(*) from items) as items')
}
