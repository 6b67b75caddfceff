import test from 'ava'
import { until } from '../../support/assertions/until.ts'
import { asIdentity, login, register, registerIdentity } from '../../support/identity/as-identity.ts'
import { testNats } from '../../support/nats/nats.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import { deliveriesOf } from '../../support/webhooks/deliveries.ts'
import { createItems, receivedBy, type SceneWebhook, setScene } from '../../support/webhooks/scene.ts'

const ada = { name: 'Ada' }
const patience = { withinMs: 120_000 }

test('while NATS is silent or down, signing in and pinging are 503, and everything else continues', async (t) => {
  const nats = await testNats(t)
  const scene = await setScene(t, { env: { LISTD_NATS_URL: nats.url } })
  const { listd } = scene
  const [webhook] = scene.webhooks as [SceneWebhook]
  const calls = deliveriesOf(scene, webhook)
  await registerIdentity(listd, ada)
  const [asAda, again] = [await asIdentity(listd, ada), await asIdentity(listd, ada)]
  const assertRejected = async () => {
    for (const answer of [
      await login(listd.api, ada),
      await register(listd.api, { name: 'Grace' }),
      await calls.ping(),
    ]) {
      t.like(answer, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
    }
    t.deepEqual(await scene.db.all("select id from deliveries where event = 'ping'"), [])
  }

  await nats.freeze()
  await assertRejected()
  t.is((await asAda('GET', '/identities/self')).status, 200)
  const acknowledged = await createItems(scene, 5)
  await nats.kill()
  await assertRejected()
  t.is((await asAda('POST', '/identities/logout', { body: { all: true } })).status, 204)
  t.is((await again('GET', '/identities/self')).status, 401)
  acknowledged.push(...(await createItems(scene, 5)))
  await everythingIsDelivered(t, scene, { acknowledged })
  const [delivery] = (await calls.list()).json.data
  t.is((await calls.redeliver(delivery.id)).status, 200)
  await until(async () => receivedBy(webhook).length === 11, { ...patience, what: 'the redelivery' })

  await nats.start()
  await until(async () => (await calls.ping()).status === 200, { ...patience, what: 'a successful ping' })
  await until(async () => (await login(listd.api, ada)).status === 200, { ...patience, what: 'a successful login' })
})
