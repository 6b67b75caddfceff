import { createSecureContext } from 'node:tls'
import test from 'ava'
import { createAddressGuard } from '#services/webhook-dispatcher/egress/address-guard.ts'
import { createProbe, probeAdmission } from '#services/webhook-dispatcher/egress/probe.ts'
import { urlRulesOf } from '#shared/domain/webhook/url.ts'
import { until } from '../../../support/assertions/until.ts'
import { makeAuthority } from '../../../support/receivers/certificate.ts'
import { testHttpClient, testReceiver } from '../../../support/receivers/egress.ts'
import type { Welcome } from '../../../support/receivers/receiver.ts'
import { startFullBacklog } from '../../../support/webhooks/full-backlog.ts'

const authority = makeAuthority()
const trusted = { ca: authority.cert }
const name = 'hooks.example.test'
const of = (url: string, accountId = 'account') => ({ accountId, url })

test('a url that answers a TLS handshake with a valid certificate is accepted, and nothing is sent to it', async (t) => {
  const receiver = await testReceiver(t, { authority })
  const client = await testHttpClient(t, receiver)
  t.is(await client.probe(of(receiver.url)), null)
  await receiver.opened(0)
  t.is(receiver.connections, 1)
  t.is(receiver.requests.length, 0)
})

test('a name is accepted if it resolves to allowed addresses and its certificate is valid', async (t) => {
  const receiver = await testReceiver(t, { authority, certificate: authority.issue({ names: [name] }) })
  const client = await testHttpClient(t, receiver, { resolve: async () => ['127.0.0.1'] })
  t.is(await client.probe(of(`https://${name}:${receiver.port}/hook`)), null)
})

test('an allowed http url is accepted if it accepts a connection, and nothing is sent to it', async (t) => {
  const receiver = await testReceiver(t, { scheme: 'http' })
  const client = await testHttpClient(t, trusted, { allowHttp: true })
  t.is(await client.probe(of(receiver.url)), null)
  await receiver.opened(0)
  t.is(receiver.connections, 1)
  t.is(receiver.requests.length, 0)
})

test('an http url whose name also resolves to an address outside the allowed networks is not https', async (t) => {
  const resolve = async () => ['127.0.0.1', '8.8.8.8']
  const client = await testHttpClient(t, trusted, { allowHttp: true, resolve })
  t.is(await client.probe(of(`http://${name}/`)), 'not-https')
  t.is(await client.probe(of('http://8.8.8.8/')), 'not-https')
})

test('the form of the URL is validated before anything is resolved', async (t) => {
  const client = await testHttpClient(t, trusted, { allowCidrs: [], resolve: () => t.fail() as never })
  t.is(await client.probe(of('nonsense')), 'invalid')
  t.is(await client.probe(of('https://example.com:25/')), 'invalid')
  t.is(await client.probe(of('http://example.com/')), 'not-https')
  t.is(await client.probe(of('https://db.internal/')), 'private-address')
  t.is(await client.probe(of('https://[::ffff:8.8.8.8]/')), 'private-address')
  t.is(await client.probe(of('https://127.0.0.1/')), 'private-address')
})

test('a name with an address that is not public is rejected as private', async (t) => {
  const client = await testHttpClient(t, trusted, { allowCidrs: [], resolve: async () => ['8.8.8.8', '10.0.0.1'] })
  t.is(await client.probe(of('https://example.com/')), 'private-address')
})

test('a name without an address is unresolvable', async (t) => {
  const client = await testHttpClient(t, trusted, { allowCidrs: [], resolve: async () => [] })
  t.is(await client.probe(of('https://example.com/')), 'unresolvable')
})

test('a port without a listener is unreachable', async (t) => {
  const receiver = await testReceiver(t, { authority })
  await receiver.close()
  const client = await testHttpClient(t, receiver)
  t.is(await client.probe(of(receiver.url)), 'unreachable')
})

test('an invalid certificate and anything that is not TLS are rejected as tls', async (t) => {
  const receiver = await testReceiver(t, { authority })
  const client = await testHttpClient(t, receiver)
  for (const certificate of [
    makeAuthority().issue(),
    authority.issue({ names: ['other.example.test'] }),
    authority.issue({ notBefore: new Date(0), notAfter: new Date(86_400_000) }),
  ]) {
    receiver.present(certificate)
    t.is(await client.probe(of(receiver.url)), 'tls')
  }
  receiver.welcome = 'plain'
  t.is(await client.probe(of(receiver.url)), 'tls')
})

const hanging: [string, Welcome][] = [
  ['sends nothing', 'silent'],
  ['stops in the middle of the TLS handshake', 'half-handshake'],
]
for (const [claim, welcome] of hanging) {
  test(`a receiver that ${claim} is unreachable, and its socket is destroyed`, async (t) => {
    const receiver = await testReceiver(t, { authority, welcome })
    t.is(await shortProbe()(of(receiver.url)), 'unreachable')
    await receiver.opened(0)
  })
}

test('a TCP handshake that hangs is unreachable', async (t) => {
  const hole = await startFullBacklog()
  t.teardown(() => hole.close())
  t.is(await shortProbe()(of(`https://127.0.0.1:${hole.port}/`)), 'unreachable')
})

test('a look-up that hangs is unresolvable', async (t) => {
  const probe = shortProbe({
    resolve: (_name, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve([]))),
  })
  t.is(await probe(of(`https://${name}/`)), 'unresolvable')
})

test('hanging urls of one account do not prevent the checks of another account', async (t) => {
  const tarpit = await testReceiver(t, { authority, welcome: 'silent' })
  const receiver = await testReceiver(t, { authority })
  const probe = probeOf({ timeoutMs: 600_000, admission: { ...probeAdmission, waitMs: 200 } })
  const unavailable = { name: 'SERVICE_UNAVAILABLE' }
  let hanging = 70
  for (let n = 0; n < 70; n++) void probe(of(tarpit.url, 'hanging')).catch(() => hanging--)
  t.is(await probe(of(receiver.url, 'other')), null)
  await until(() => hanging === 8 || hanging)
  await until(() => tarpit.connections >= 8 || tarpit.connections)
  await t.throwsAsync(probe(of(receiver.url, 'hanging')), unavailable)
  t.is(tarpit.connections, 8)
  t.is(await probe(of('http://example.com/', 'hanging')), 'not-https')
})

test('a url waits for its turn while others of the account are checked', async (t) => {
  const tarpit = await testReceiver(t, { authority, welcome: 'silent' })
  const probe = probeOf({ timeoutMs: 300, admission: { ...probeAdmission, perAccount: 1, waitMs: 600_000 } })
  t.deepEqual(await Promise.all([probe(of(tarpit.url)), probe(of(tarpit.url))]), ['unreachable', 'unreachable'])
})

const shortProbe = (options: ProbeOf = {}) => probeOf({ timeoutMs: 300, ...options })

type ProbeOf = Partial<Pick<Parameters<typeof createProbe>[0], 'timeoutMs' | 'admission'>> & {
  resolve?: Parameters<typeof createAddressGuard>[0]['resolve']
}

function probeOf({ resolve = async () => [], ...options }: ProbeOf) {
  const rules = urlRulesOf({ allowCidrs: ['127.0.0.0/8'], allowHttp: false })
  const secureContext = createSecureContext({ ca: authority.cert })
  return createProbe({ guard: createAddressGuard({ rules, resolve }), secureContext, ...options })
}
