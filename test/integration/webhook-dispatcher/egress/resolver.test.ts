import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createResolve, type Resolve } from '#services/webhook-dispatcher/egress/resolver.ts'
import { until } from '../../../support/assertions/until.ts'
import { type DnsServer, startDnsServer, type Zone } from '../../../support/receivers/dns-server.ts'
import { testFolder } from '../../../support/test-context/folder.ts'

const never = new AbortController().signal

test('both families are queried and IPv4 comes first', async (t) => {
  const { resolve, server } = await resolverOver(t, {
    'a.example.test': { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::1'] },
  })
  t.deepEqual((await resolve('a.example.test', never)).toSorted(), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  t.is((await resolve('a.example.test', never)).at(-1), '2001:db8::1')
  t.deepEqual(new Set(server.queries), new Set(['a.example.test A', 'a.example.test AAAA']))
})

test('a name with only one family resolves to that', async (t) => {
  const { resolve } = await resolverOver(t, {
    'four.example.test': { A: ['192.0.2.1'] },
    'six.example.test': { AAAA: ['2001:db8::1'] },
  })
  t.deepEqual(await resolve('four.example.test', never), ['192.0.2.1'])
  t.deepEqual(await resolve('six.example.test', never), ['2001:db8::1'])
})

test('a name without addresses, one that does not exist and one whose servers are broken resolve to nothing', async (t) => {
  const { resolve } = await resolverOver(t, {
    'none.example.test': {},
    'broken.example.test': { A: 'broken', AAAA: 'broken' },
  })
  for (const name of ['none.example.test', 'gone.example.test', 'broken.example.test']) {
    t.deepEqual(await resolve(name, never), [], name)
  }
})

test('a family whose servers are silent does not delay the other', async (t) => {
  const { resolve } = await resolverOver(t, { 'a.example.test': { A: ['192.0.2.1'], AAAA: 'silent' } })
  t.deepEqual(await resolve('a.example.test', never), ['192.0.2.1'])
})

test('a look-up is aborted as soon as its signal is', async (t) => {
  const { resolve, server } = await resolverOver(t, { 'a.example.test': { A: 'silent', AAAA: 'silent' } })
  const stop = new AbortController()
  const found = resolve('a.example.test', stop.signal)
  await until(async () => server.queries.length === 2, { what: 'queries for both families' })
  stop.abort()
  t.deepEqual(await found, [])
  t.deepEqual(await resolve('a.example.test', stop.signal), [])
})

test('a name in the hosts file needs no DNS', async (t) => {
  const { resolve, server } = await resolverOver(t, {}, [
    '# 192.0.2.9 a.example.test',
    '192.0.2.1\ta.example.test  B.Example.Test # the receiver',
    '2001:db8::1 a.example.test',
    '192.0.2.2 aa.example.test',
    '',
  ])
  t.deepEqual(await resolve('a.example.test', never), ['192.0.2.1', '2001:db8::1'])
  t.deepEqual(await resolve('b.example.test', never), ['192.0.2.1'])
  t.deepEqual(server.queries, [])
  t.deepEqual(await resolve('192.0.2.1', never), [])
})

/** Longer than any test, so that none passes by waiting for a silent server. */
const queryTimeoutMs = 600_000

async function resolverOver(
  t: ExecutionContext,
  zone: Zone,
  hosts: string[] = [],
): Promise<{ resolve: Resolve; server: DnsServer }> {
  const server = await startDnsServer(zone)
  const hostsFile = join(await testFolder(t), 'hosts')
  await writeFile(hostsFile, hosts.join('\n'))
  t.teardown(() => server.close())
  return { resolve: createResolve({ servers: [server.address], hostsFile, queryTimeoutMs }), server }
}
