import test from 'ava'
import { everythingIsDelivered } from '../support/delivered.ts'
import { createItem, receivedBy, setScene } from '../support/scene.ts'

/** Without the supervisor's word the next dispatcher would wait for the end of the leases, 30 s. */
const soonMs = 10_000

test('a dispatcher killed with open requests: the next makes them again at once, with the same event ids', async (t) => {
  t.timeout(60_000)
  const scene = await setScene(t, { webhooks: 3 })
  const { listd, receiver, webhooks, db } = scene
  receiver.reply = { hang: 'before-head' }
  const itemId = await createItem(scene)
  await receiver.received(3)

  receiver.reply = {}
  const killedAt = performance.now()
  listd.signal('webhook-dispatcher', 'SIGKILL')
  await receiver.received(6)
  t.true(performance.now() - killedAt < soonMs)

  await everythingIsDelivered(t, scene, { acknowledged: [itemId] })
  for (const webhook of webhooks) {
    const [first, second] = receivedBy(webhook)
    t.is(second?.headers['x-service-delivery'], first?.headers['x-service-delivery'])
    t.deepEqual(second?.body, first?.body)
  }
  const log = await db.all('select number, status, error from delivery_attempts order by number')
  const dead = { number: 1, status: null, error: 'interrupted' }
  const made = { number: 2, status: 200, error: null }
  t.deepEqual(log, [dead, dead, dead, made, made, made])
})
