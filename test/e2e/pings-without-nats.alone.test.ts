import test from 'ava'
import { deliveriesOf, quickRetries } from '../support/deliveries.ts'
import { testNats } from '../support/nats.ts'
import { createItems, receivedBy, type SceneWebhook, setScene } from '../support/scene.ts'
import { until } from '../support/until.ts'

test('while NATS is silent or away a ping is 503 within a second, and nothing is left of it', async (t) => {
  t.timeout(60_000)
  const nats = await testNats(t)
  const scene = await setScene(t, { env: { ...quickRetries, LISTD_NATS_URL: nats.url } })
  const [webhook] = scene.webhooks as [SceneWebhook]
  const calls = deliveriesOf(scene, webhook)
  const refused = async () => {
    const startedAt = performance.now()
    t.like(await calls.ping(), { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
    t.true(performance.now() - startedAt < 1_000)
  }
  await nats.freeze()
  await refused()
  await nats.kill()
  await refused()
  t.deepEqual(await scene.db.all('select id from deliveries'), [])

  // Replaying needs no NATS.
  await createItems(scene, 1)
  await until(async () => receivedBy(webhook).length === 1, { what: 'the delivery' })
  const [delivery] = (await calls.list()).json.data
  await until(async () => (await calls.redeliver(delivery.id)).status === 200, { what: 'the redelivery' })
  await until(async () => receivedBy(webhook).length === 2, { what: 'the second request' })
  await nats.start()
  await until(async () => (await calls.ping()).status === 200, { what: 'a ping' })
})
