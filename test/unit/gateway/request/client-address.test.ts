import type { IncomingMessage } from 'node:http'
import test from 'ava'
import { createClientConnection } from '#services/gateway/request/client-address.ts'

const publicUrl = 'http://127.0.0.1:3000'

function request(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

test('without trusted proxies the socket decides the address of the client, whatever headers say', (t) => {
  const read = createClientConnection({ trustedProxies: [], publicUrl })
  const headers = { 'x-forwarded-for': '192.0.2.9', 'x-forwarded-proto': 'https' }
  t.deepEqual(read(request('198.51.100.1', headers)), { address: '198.51.100.1', secure: false })
})

test('an IPv4 client on a dual-stack listener is shown in dotted form', (t) => {
  const read = createClientConnection({ trustedProxies: [], publicUrl })
  t.is(read(request('::ffff:198.51.100.1')).address, '198.51.100.1')
  t.is(read(request('2001:db8::1')).address, '2001:db8::1')
})

test('the zone of a link-local peer is not part of its address', (t) => {
  const read = createClientConnection({ trustedProxies: ['fe80::/10'], publicUrl })
  t.is(read(request('fe80::7%eth0')).address, 'fe80::7')
  t.is(read(request('fe80::7%eth0', { 'x-forwarded-for': '192.0.2.9' })).address, '192.0.2.9')
})

const behindProxies: [string, string, string][] = [
  ['the address a trusted proxy saw', '192.0.2.9', '192.0.2.9'],
  ['an address that the client itself wrote before it is not believed', '203.0.113.66, 192.0.2.9', '192.0.2.9'],
  ['further trusted proxies are passed over', '192.0.2.9, 10.1.1.1, ::ffff:10.2.2.2', '192.0.2.9'],
  ['only trusted ones: the farthest', '10.3.3.3, 10.1.1.1', '10.3.3.3'],
  ['a text that is not an address ends trust', '192.0.2.9, unknown, 10.1.1.1', '10.1.1.1'],
  ['an IPv4 client in the hexadecimal form of IPv6', '::FFFF:c000:209, ::ffff:a01:101', '192.0.2.9'],
  ['a zone ends belief, like other text', '192.0.2.9, fe80::1%eth0, 10.1.1.1', '10.1.1.1'],
  ['an octal form ends belief', '192.0.2.9, 012.1.1.1, 10.1.1.1', '10.1.1.1'],
  ['an IPv6 client', '2001:db8::7', '2001:db8::7'],
  ['nothing', '', '10.0.0.1'],
]
for (const [what, forwardedFor, address] of behindProxies) {
  test(`behind a trusted proxy: ${what}`, (t) => {
    const read = createClientConnection({ trustedProxies: ['10.0.0.0/8'], publicUrl })
    t.is(read(request('10.0.0.1', { 'x-forwarded-for': forwardedFor })).address, address)
  })
}

test('a client that is not a trusted proxy cannot forward anything', (t) => {
  const read = createClientConnection({ trustedProxies: ['10.0.0.0/8'], publicUrl })
  const headers = { 'x-forwarded-for': '192.0.2.9', 'x-forwarded-proto': 'https' }
  t.deepEqual(read(request('198.51.100.1', headers)), { address: '198.51.100.1', secure: false })
})

test('TLS is known from the public URL or a trusted proxy', (t) => {
  const secure = createClientConnection({ trustedProxies: [], publicUrl: 'https://lists.example' })
  t.true(secure(request('198.51.100.1')).secure)
  const proxied = createClientConnection({ trustedProxies: ['10.0.0.1'], publicUrl })
  t.true(proxied(request('10.0.0.1', { 'x-forwarded-proto': 'https' })).secure)
  t.false(proxied(request('10.0.0.1', { 'x-forwarded-proto': 'https, http' })).secure)
  t.false(proxied(request('10.0.0.1')).secure)
})
