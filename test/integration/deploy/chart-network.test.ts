import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { type Address, formatIpv4 } from '#shared/net/address.ts'
import { type Cidr, isWithin, parseCidrs } from '#shared/net/cidr.ts'
import { isAllowedAddress } from '#shared/net/public-address.ts'
import { chart, type KubeObject, renderChart, required } from '../../support/deploy/helm.ts'

type Peer = { ipBlock?: { cidr: string; except?: string[] }; namespaceSelector?: object; podSelector?: object }
type Rule = { to?: Peer[]; from?: Peer[]; ports?: { protocol: string; port: number | string }[] }

const policyOf = (objects: readonly KubeObject[], component: string) =>
  objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.endsWith(`-${component}`))
const egressOf = (objects: readonly KubeObject[], component: string): Rule[] =>
  policyOf(objects, component)?.spec.egress
const blocksOf = (rules: readonly Rule[]) => rules.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))

/** Whether the egress rules allow a pod to reach an address outside the cluster. */
function reaches(rules: readonly Rule[], address: Address): boolean {
  return blocksOf(rules).some(
    ({ cidr, except = [] }) =>
      isWithin(address, parseCidrs('policy', [cidr])) && !isWithin(address, parseCidrs('policy', except)),
  )
}

test('without the dispatcher nothing reaches an address outside the cluster', async (t) => {
  const objects = await renderChart(t, required)
  for (const component of ['gateway', 'identity', 'migrate']) t.deepEqual(blocksOf(egressOf(objects, component)), [])
  t.true(reaches(egressOf(objects, 'webhook-dispatcher'), { family: 4, value: 0x08080808n }))
})

test('the dispatcher reaches the addresses that webhooks may use, and no others', async (t) => {
  const allowCidrs = ['10.20.0.0/16', '192.168.7.7', 'fd00:1::/32']
  const rules = egressOf(
    await renderChart(t, { ...required, config: { webhooks: { allowCidrs } } }),
    'webhook-dispatcher',
  )
  const allowed = parseCidrs('allowed', allowCidrs)
  const edges = [...specialBlocks(), ...allowed, ...parseCidrs('policy', networksIn(rules))].flatMap(edgesOf)
  t.true(edges.length > 100)
  for (const address of edges)
    t.is(reaches(rules, address), isAllowedAddress(textOf(address), allowed), textOf(address))
})

/** Every network in the source of the rule for webhook addresses. */
function specialBlocks(): Cidr[] {
  const source = readFileSync(join(chart, '../../../shared/net/public-address.ts'), 'utf8')
  const networks = [...source.matchAll(/'([0-9a-f.:]+\/\d+)'/g)].map(([, network = '']) => network)
  return parseCidrs('special', networks)
}

const networksIn = (rules: readonly Rule[]) => blocksOf(rules).flatMap(({ cidr, except = [] }) => [cidr, ...except])

/** The first and the last address of a network, and their neighbors outside it. */
function edgesOf({ family, first, last }: Cidr): Address[] {
  const values = [first - 1n, first, last, last + 1n]
  const max = family === 4 ? 2n ** 32n : 2n ** 128n
  return values.filter((value) => value >= 0n && value < max).map((value) => ({ family, value }))
}

function textOf({ family, value }: Address): string {
  if (family === 4) return formatIpv4(value)
  const digits = value.toString(16).padStart(32, '0')
  return digits.match(/.{4}/g)?.join(':') ?? ''
}

test('each component reaches the database, NATS and the name servers at the addresses of the values', async (t) => {
  const database = [{ ipBlock: { cidr: '10.1.2.3/32' } }]
  const nats = [{ podSelector: { matchLabels: { app: 'nats' } } }]
  const dns = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }]
  const networkPolicy = { database: { to: database, ports: [5433] }, nats: { to: nats }, dns: { to: dns } }
  const objects = await renderChart(t, { ...required, networkPolicy })
  const tcp = (port: number) => ({ protocol: 'TCP', port })
  const shared = [
    { to: dns, ports: [{ protocol: 'UDP', port: 53 }, tcp(53)] },
    { to: database, ports: [tcp(5433)] },
    { to: nats, ports: [tcp(4222)] },
  ]
  for (const component of ['gateway', 'identity', 'migrate']) t.deepEqual(egressOf(objects, component), shared)
})

test('only the API is open to callers, and metrics only to named peers or to Prometheus', async (t) => {
  const ingressOf = (objects: readonly KubeObject[], component: string): Rule[] | undefined =>
    policyOf(objects, component)?.spec.ingress
  const http = { protocol: 'TCP', port: 'http' }
  const ops = { protocol: 'TCP', port: 'ops' }
  const plain = await renderChart(t, required)
  t.deepEqual(ingressOf(plain, 'gateway'), [{ ports: [http] }])
  for (const component of ['identity', 'webhook-dispatcher', 'migrate']) {
    t.is(ingressOf(plain, component), undefined)
    t.deepEqual(policyOf(plain, component)?.spec.policyTypes, ['Ingress', 'Egress'])
  }
  const watched = await renderChart(t, { ...required, serviceMonitor: { enabled: true } })
  t.deepEqual(ingressOf(watched, 'identity'), [{ ports: [ops], from: [{ namespaceSelector: {} }] }])
  const monitoring = [{ podSelector: { matchLabels: { app: 'prometheus' } } }]
  const clients = [{ podSelector: { matchLabels: { app: 'shop' } } }]
  const named = await renderChart(t, { ...required, networkPolicy: { monitoring, clients } })
  t.deepEqual(ingressOf(named, 'gateway'), [
    { ports: [http], from: clients },
    { ports: [ops], from: monitoring },
  ])
})
