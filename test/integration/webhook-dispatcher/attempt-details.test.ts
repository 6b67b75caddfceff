import test from 'ava'
import { detailedAfterMs } from '#shared/domain/webhook/deliveries/attempt-details.ts'
import { post, testHttpClient, testReceiver } from '../../support/receivers/egress.ts'

const isTime = (ms: unknown) => Number.isInteger(ms) && Number(ms) >= 0

test('a failed attempt records its phases, and a few headers of the response', async (t) => {
  const receiver = await testReceiver(t)
  receiver.reply = { status: 503, headers: { server: 'proxy', 'retry-after': '7', 'x-secret': 'no' } }
  const client = await testHttpClient(t, receiver)
  const { details } = await post(client, receiver.url)
  t.like(details?.headers, { server: 'proxy', 'retry-after': '7' })
  t.false('x-secret' in (details?.headers ?? {}))
  t.true(Object.values(details?.phases ?? {}).every(isTime))
  t.is(Object.keys(details?.phases ?? {}).length, 4)

  const { details: again } = await post(client, receiver.url)
  t.like(again?.phases, { dnsMs: null, connectMs: null, tlsMs: null })
  t.true(isTime(again?.phases.waitMs))
})

test('a quick success has no details, unless they are requested', async (t) => {
  const receiver = await testReceiver(t)
  const client = await testHttpClient(t, receiver)
  const outcome = await post(client, receiver.url)
  t.is('details' in outcome, outcome.durationMs > detailedAfterMs) // on a busy machine it may be slow
  const request = { key: 'webhook', url: receiver.url, headers: [], body: Buffer.from('{}') }
  const { status, details } = await client.post({ ...request, isDetailed: true })
  t.is(status, 200)
  t.true(isTime(details?.phases.waitMs))
})

test('an attempt that ended in a phase records how far it got', async (t) => {
  const receiver = await testReceiver(t)
  receiver.reply = { hang: 'before-head' }
  const client = await testHttpClient(t, receiver)
  const unanswered = post(client, receiver.url)
  await receiver.received(1)
  receiver.resetConnections()
  const { error, details } = await unanswered
  t.is(error, 'connection')
  t.true(isTime(details?.phases.tlsMs) && isTime(details?.phases.waitMs))
  t.is(details?.headers, null)

  const mute = await testReceiver(t, { welcome: 'silent' })
  const unsecured = post(await testHttpClient(t, mute), mute.url)
  await mute.heard(1)
  mute.resetConnections()
  const { phases } = (await unsecured).details ?? {}
  t.true(isTime(phases?.connectMs) && isTime(phases?.tlsMs))
  t.is(phases?.waitMs, null)

  const nameless = await testHttpClient(t, receiver, { resolve: async () => [] })
  const unknown = await post(nameless, 'https://nobody.example/')
  t.is(unknown.error, 'dns')
  t.true(isTime(unknown.details?.phases.dnsMs))
  t.is(unknown.details?.phases.connectMs, null)
})
