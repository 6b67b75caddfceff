import test from 'ava'
import { until } from '../support/assertions/until.ts'
import { keepCreating } from '../support/load/load.ts'
import { heldMb, inspectable } from '../support/load/memory.ts'
import { testNats } from '../support/nats/nats.ts'
import { everythingIsDelivered } from '../support/webhooks/delivered.ts'
import { setScene } from '../support/webhooks/scene.ts'

/** So many that memory would grow visibly even if only the ids of each were kept. */
const creates = 10_000
const mayGrowMb = 5
/** The test waits for work, not for a time; a slow machine may take this long for each part. */
const patience = { withinMs: 1_200_000 }

test('NATS down under load: the gateway rejects nothing and does not grow, and everything arrives afterwards', async (t) => {
  t.timeout(3_600_000)
  const nats = await testNats(t)
  const settings = { LISTD_NATS_URL: nats.url, LISTD_WEBHOOKS_MAX_WAITING: '1000000', LISTD_LOG_LEVEL: 'warn' }
  const scene = await setScene(t, { env: { ...settings, ...inspectable } })
  const load = keepCreating(scene, { atOnce: 16, ahead: Number.POSITIVE_INFINITY })
  t.teardown(load.stop)
  const heldAfter = async (more: number) => {
    const enough = load.acknowledged.length + more
    await until(async () => load.acknowledged.length >= enough, { ...patience, what: `${more} more creations` })
    return heldMb(scene.listd, 'gateway')
  }

  const beforeMb = await heldAfter(creates / 2)
  // First the server is frozen with every connection open, then it is killed.
  await nats.freeze()
  const frozenMb = await heldAfter(creates)
  await nats.kill()
  const deadMb = await heldAfter(creates)
  await nats.start()
  await load.stop()

  t.log({ beforeMb, frozenMb, deadMb, created: load.acknowledged.length })
  t.true(Math.max(frozenMb, deadMb) - beforeMb <= mayGrowMb)
  t.is(load.failures(), 0)
  await everythingIsDelivered(t, scene, { acknowledged: load.acknowledged, ...patience })
})
