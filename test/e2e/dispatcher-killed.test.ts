import test from 'ava'
import { everythingIsDelivered } from '../support/webhooks/delivered.ts'
import { endedAttempts } from '../support/webhooks/ended-attempts.ts'
import { createItem, receivedBy, setScene } from '../support/webhooks/scene.ts'

/** The longest there is: only the supervisor's word ends a lease sooner than the test. */
const env = { LISTD_DISPATCHER_LEASE_SECONDS: '3600' }

test('a dispatcher killed with open requests: the next makes them again, not after the lease but at once, with the same event ids', async (t) => {
  const scene = await setScene(t, { webhooks: 3, env })
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
  const made = { number: 2, status: 200, error: null }
  t.deepEqual(log, [dead, dead, dead, made, made, made])
})
