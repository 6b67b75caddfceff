import test, { type ExecutionContext } from 'ava'
import { until } from '../../support/assertions/until.ts'
import { served } from '../../support/http/api.ts'
import { testReceiver } from '../../support/receivers/egress.ts'
import { type HostileReceiver, hangingReceivers, hostileReceivers } from '../../support/receivers/hostile-receivers.ts'
import type { Welcome } from '../../support/receivers/receiver.ts'
import type { Reply } from '../../support/receivers/reply.ts'
import { shared } from '../../support/test-context/shared.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import { deliveriesOf } from '../../support/webhooks/deliveries.ts'
import { endedAttempts } from '../../support/webhooks/ended-attempts.ts'
import { startFullBacklog } from '../../support/webhooks/full-backlog.ts'
import {
  addWebhook,
  createItems,
  type Scene,
  type SceneWebhook,
  setScene,
  setSceneOn,
} from '../../support/webhooks/scene.ts'

/** A time-out long enough that every delivery to other webhooks arrives before the first attempt at a hanging one ends. */
const env = { LISTD_WEBHOOKS_TIMEOUT_MS: '8000', LISTD_WEBHOOKS_RETRY_SECONDS: '0.2,0.2,0.5,1,2,4,8' }
const base = shared((t) => setScene(t, { webhooks: 0, env }))
const patience = { withinMs: 60_000 }

type Hang = { welcome?: Welcome; reply?: Reply; error: 'timeout' | null }
const hangs: Record<string, Hang> = {
  'before TLS': { welcome: 'silent', error: 'timeout' },
  'in the handshake': { welcome: 'half-handshake', error: 'timeout' },
  'before the head': { reply: { hang: 'before-head' }, error: 'timeout' },
  'in the head': { reply: { hang: 'in-head' }, error: 'timeout' },
  'in the body of a failure': { reply: { status: 500, body: 'no, no', hang: 'in-body' }, error: null },
}

test.serial('receivers that hang in any phase get a later attempt, and delay no other webhook', async (t) => {
  const scene = await setSceneOn(t, base())
  const hanging = await addHanging(t, scene)
  const acknowledged = await createItems(scene, 3)

  // The scene's own webhook gets all deliveries while every other webhook still waits for its first attempt to end.
  await scene.receiver.received(3)
  t.is(await countEnded(scene, hanging), 0)

  const haveAllEnded = async () => (await countEnded(scene, hanging)) >= hanging.length
  await until(haveAllEnded, { ...patience, what: 'a failed attempt of each webhook' })
  for (const { receiver } of hanging) {
    receiver.welcome = 'serve'
    receiver.reply = {}
  }
  await everythingIsDelivered(t, scene, { acknowledged })
  for (const [n, [phase, { error }]] of Object.entries(hangs).entries()) {
    const first = await firstAttempt(scene, hanging[n])
    t.like(first, { error, status: error ? null : 500 }, phase)
  }
})

test.serial('a receiver that accepts no connection gets a later attempt', async (t) => {
  const scene = await setSceneOn(t, base(), { webhooks: 0 })
  const [port, authority] = [scene.receiver.port, scene.authority]
  const webhook = await addWebhook(scene)
  await scene.receiver.close()
  const backlog = await startFullBacklog({ port })
  t.teardown(backlog.close)
  const acknowledged = await createItems(scene, 1)
  await until(async () => (await countEnded(scene, [webhook])) > 0, { ...patience, what: 'a failed attempt' })
  await backlog.close()
  webhook.receiver = await testReceiver(t, { port, authority })
  await everythingIsDelivered(t, scene, { acknowledged })
  t.like(await firstAttempt(scene, webhook), { error: 'timeout', status: null })
})

test.serial('a receiver that answers 2xx and then hangs in the body has received it: one attempt', async (t) => {
  const scene = await setSceneOn(t, base())
  scene.receiver.reply = { body: 'never whole', hang: 'in-body' }
  const acknowledged = await createItems(scene, 1)
  await everythingIsDelivered(t, scene, { acknowledged })
  t.is(scene.receiver.requests.length, 1)
})

test.serial('every error of a receiver is in the log by its class, and delays no other webhook', async (t) => {
  const scene = await setSceneOn(t, base())
  const kinds = { ...hangingReceivers, ...hostileReceivers }
  const webhooks = await Promise.all(Object.values(kinds).map((kind) => addHostile(t, scene, kind)))
  const pings = webhooks.map((webhook) => served(deliveriesOf(scene, webhook).ping))
  const acknowledged = await createItems(scene, 3)
  await scene.receiver.received(3)
  for (const [n, [what, { outcome }]] of Object.entries(kinds).entries()) {
    const { json } = (await pings[n]) ?? t.fail()
    t.deepEqual({ status: json.response?.status ?? null, error: json.error }, outcome, what)
    await webhooks[n]?.receiver.opened(0)
  }
  await everythingIsDelivered(t, { ...scene, webhooks: scene.webhooks.slice(0, 1) }, { acknowledged })
})

/** A webhook whose receiver answers normally while the webhook is registered, and is hostile from then on. */
async function addHostile(t: ExecutionContext, scene: Scene, kind: HostileReceiver): Promise<SceneWebhook> {
  const { authority } = scene
  const receiver = await testReceiver(t, { authority })
  const webhook = await addWebhook(scene, { receiver, events: [] })
  receiver.welcome = kind.welcome ?? 'serve'
  receiver.reply = kind.reply ?? {}
  if (kind.certificate) receiver.present(kind.certificate(authority))
  return webhook
}

/** Webhooks with a receiver for every way to hang. The receivers answer normally while the webhooks are registered. */
async function addHanging(t: ExecutionContext, scene: Scene): Promise<SceneWebhook[]> {
  const hanging: SceneWebhook[] = []
  for (const { welcome = 'serve', reply = {} } of Object.values(hangs)) {
    const receiver = await testReceiver(t, { authority: scene.authority })
    hanging.push(await addWebhook(scene, { receiver }))
    receiver.welcome = welcome
    receiver.reply = reply
  }
  return hanging
}

/** The number of webhooks with an attempt that has ended. */
async function countEnded({ db }: Scene, webhooks: readonly SceneWebhook[]): Promise<number> {
  const rows = await db.all<{ webhook_id: string }>(
    `select distinct d.webhook_id from deliveries d join ${endedAttempts} a on a.delivery_id = d.id
     where a.duration_ms is not null`,
  )
  const ended = new Set(rows.map(({ webhook_id }) => webhook_id))
  return webhooks.filter(({ id }) => ended.has(id)).length
}

type Attempt = { error: string | null; status: number | null }

async function firstAttempt({ db }: Scene, webhook: SceneWebhook | undefined): Promise<Attempt> {
  const [first] = await db.all<Attempt>(
    `select a.error, a.status from deliveries d join ${endedAttempts} a on a.delivery_id = d.id
     where d.webhook_id = ? order by a.started_at limit 1`,
    [webhook?.id],
  )
  if (!first) throw new Error('no attempt was sent')
  return first
}
