import test from 'ava'
import { asIdentity, registerIdentity } from '../../support/identity/as-identity.ts'
import { testNats } from '../../support/nats/nats.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import { createItems, setScene } from '../../support/webhooks/scene.ts'

const ada = { name: 'Ada' }
const rounds = 10

test('two installations on one NATS: logins, sessions and events stay separate', async (t) => {
  const { url } = await testNats(t)
  const env = { LISTD_NATS_URL: url }
  const scenes = await Promise.all([setScene(t, { env }), setScene(t, { env })])
  for (const { listd } of scenes) await registerIdentity(listd, ada)
  for (const scene of scenes) {
    for (let round = 0; round < rounds; round++) {
      const call = await asIdentity(scene.listd, ada)
      t.is((await call('GET', '/identities/self')).json.sessionCount, round + 1)
    }
  }
  const acknowledged = await Promise.all(scenes.map((scene) => createItems(scene, 20)))
  for (const [n, scene] of scenes.entries()) {
    await everythingIsDelivered(t, scene, { acknowledged: acknowledged[n] ?? [] })
    t.deepEqual(scene.listd.logged('bus.request_failed'), [])
  }
})
