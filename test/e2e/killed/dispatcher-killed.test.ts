import test from 'ava'
import { until } from '../../support/assertions/until.ts'
import { shared } from '../../support/test-context/shared.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import { endedAttempts } from '../../support/webhooks/ended-attempts.ts'
import {
  createItem,
  createItems,
  receivedBy,
  type SceneWebhook,
  setScene,
  setSceneOn,
} from '../../support/webhooks/scene.ts'

/** The longest possible lease: during a test it ends only because the supervisor reports the death of its holder. */
const env = { LISTD_DISPATCHER_LEASE_SECONDS: '3600' }

const base = shared((t) => setScene(t, { webhooks: 0, env }))

test.serial(
  'a dispatcher killed with open requests: the next one sends them again at once, before the lease ends, with the same event ids',
  async (t) => {
    const scene = await setSceneOn(t, base(), { webhooks: 3 })
    const { listd, receiver, webhooks, db } = scene
    receiver.reply = { hang: 'before-head' }
    const itemId = await createItem(scene)
    await receiver.received(3)

    receiver.reply = {}
    listd.signal('webhook-dispatcher', 'SIGKILL')
    await receiver.received(6)

    await everythingIsDelivered(t, scene, { acknowledged: [itemId] })
    for (const webhook of webhooks) {
      const [first, second] = receivedBy(webhook)
      t.is(second?.headers['x-service-delivery'], first?.headers['x-service-delivery'])
      t.deepEqual(second?.body, first?.body)
    }
    const log = await db.all(`select number, status, error from ${endedAttempts} a order by number`)
    const dead = { number: 1, status: null, error: 'interrupted' }
    const sent = { number: 2, status: 200, error: null }
    t.deepEqual(log, [dead, dead, dead, sent, sent, sent])
  },
)

test.serial(
  'a limit on requests survives the death of a dispatcher, delays no other webhook, and everything is sent',
  async (t) => {
    const scene = await setSceneOn(t, base(), { webhooks: 2 })
    const { listd, receiver, webhooks, db } = scene
    const [paced, other] = webhooks as [SceneWebhook, SceneWebhook]
    const changed = await listd.user('PUT', `/webhooks/${paced.id}`, { body: { maxRequestsPerSecond: 4 } })
    t.is(changed.status, 200)
    const acknowledged = await createItems(scene, 6)
    await until(() => receivedBy(other).length === 6 || receivedBy(other).length)
    listd.signal('webhook-dispatcher', 'SIGKILL')
    await everythingIsDelivered(t, scene, { acknowledged })

    const log = await db.all<{ started_at: number }>(
      `select a.started_at from ${endedAttempts} a join deliveries d on d.id = a.delivery_id
      where d.webhook_id = ? order by a.started_at`,
      [paced.id],
    )
    const begun = log.map(({ started_at }) => Number(started_at))
    const tooSoon = begun.filter((at, n) => n > 0 && at - (begun[n - 1] ?? 0) < 250)
    t.deepEqual(tooSoon, [], `${begun}`)
    t.true(begun.length >= 6 && receiver.requests.length >= 12)
  },
)
