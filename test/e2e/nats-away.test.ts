import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { everythingIsDelivered } from '../support/delivered.ts'
import { createSteadily } from '../support/load.ts'
import { heldMb, inspectable } from '../support/memory.ts'
import { testNats } from '../support/nats.ts'
import { addLists, addWebhook, setScene } from '../support/scene.ts'

const perSecond = 1_000
const warmUpMs = 5_000
const frozenMs = 10_000
const deadMs = 10_000
const mayGrowMb = 20

test('NATS away under 1,000 creates/s: the gateway does not grow, and everything arrives afterwards', async (t) => {
  t.timeout(240_000)
  const nats = await testNats(t)
  const settings = { LISTD_NATS_URL: nats.url, LISTD_WEBHOOKS_MAX_WAITING: '1000000', LISTD_LOG_LEVEL: 'warn' }
  const scene = await setScene(t, { webhooks: 0, env: { ...settings, ...inspectable } })
  // A webhook takes its deliveries one after the other: ten of them have time for a thousand a second.
  const lists = await addLists(scene, 10)
  for (const { pathName, id } of lists) await addWebhook(scene, { path: `/${pathName}`, listIds: [id] })

  const load = createSteadily(scene, { perSecond, lists: lists.map(({ pathName }) => pathName) })
  t.teardown(load.stop)
  await delay(warmUpMs)
  const beforeMb = await heldMb(scene.listd, 'gateway')
  // First the server stands still with every connection open, then it is gone.
  await nats.freeze()
  await delay(frozenMs)
  const frozenMb = await heldMb(scene.listd, 'gateway')
  await nats.kill()
  await delay(deadMs)
  const deadMb = await heldMb(scene.listd, 'gateway')
  await nats.start()
  await delay(1_000)
  await load.stop()

  t.log({ beforeMb, frozenMb, deadMb, created: load.acknowledged.length })
  t.true(Math.max(frozenMb, deadMb) - beforeMb <= mayGrowMb)
  t.is(load.failures(), 0)
  t.true(load.acknowledged.length >= (warmUpMs + frozenMs + deadMs) * 0.9 * (perSecond / 1_000))
  await everythingIsDelivered(t, scene, { acknowledged: load.acknowledged, withinMs: 120_000 })
})
