import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { until } from '../../../../support/assertions/until.ts'
import { call } from '../../../../support/http/client.ts'
import { sharedSettings, startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { startNats } from '../../../../support/nats/nats.ts'
import { type RuledItems, ruledItems } from '../../../../support/rules/ruled-gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateways: TestGateway[]
let at: RuledItems
const keepMs = 3_600_000

test.before(async () => {
  const nats = await startNats()
  cleanup.teardown(nats.dispose)
  const gateway = await startGateway(cleanup, { routes, natsUrl: nats.url, keepMs })
  const other = await startGateway(cleanup, {
    routes,
    natsUrl: nats.url,
    keepMs,
    env: sharedSettings(gateway.deps.config),
  })
  gateways = [gateway, other]
  for (const { deps } of gateways) await until(async () => deps.bus.connected())
  at = await ruledItems(gateway)
})

const statusOn = async ({ port }: TestGateway, headers: Record<string, string>) =>
  (await call(port, { path: `${at.path}/items/${at.items.news}`, headers })).status

/** The gateway of the change applies it at once, and the other one by message, because their caches do not expire during a test. */
async function follows(
  t: { is(actual: unknown, expected: unknown): void },
  headers: Record<string, string>,
  status: number,
) {
  const [first, second] = gateways as [TestGateway, TestGateway]
  t.is(await statusOn(first, headers), status)
  await until(async () => (await statusOn(second, headers)) === status)
}

const seen = (where: object): PermissionRule[] => [
  { mode: 'allow', action: 'view', resourceType: 'item', listIds: [at.listId], where: { ...where } },
]

test('the current tags and name of an identity apply to the next request, on each gateway', async (t) => {
  const byTags = (await at.token(seen({ tagged: 'in:$identity.tags' })))('bob')
  const byName = (await at.token(seen({ team: 'eq:$identity.name' })))('bob')
  const put = (body: object) => at.ask({ method: 'PUT', path: `/identities/${at.ids.bob}`, body })
  await follows(t, byTags, 404)
  await follows(t, byName, 404)
  await put({ tags: ['news'], name: 'red' })
  await follows(t, byTags, 200)
  await follows(t, byName, 200)
  await put({ tags: [], name: 'Bob' })
  await follows(t, byTags, 404)
  await follows(t, byName, 404)
})

test('the current tags of a token apply to the next request, on each gateway', async (t) => {
  const permissions = seen({ tagged: 'in:$token.tags' })
  const created = await at.ask({ method: 'POST', path: '/tokens', body: { name: 'app', permissions } })
  const headers = { 'x-api-token': String(created.json?.value) }
  const put = (tags: string[]) => at.ask({ method: 'PUT', path: `/tokens/${created.json?.id}`, body: { tags } })
  await follows(t, headers, 404)
  await put(['news'])
  await follows(t, headers, 200)
  await put([])
  await follows(t, headers, 404)
})

test('for conditions, a group whose name differs from another only in case is unknown', async (t) => {
  const byGroup = (await at.token(seen({ team: 'eq:$identity.group' })))('ada')
  const notByGroup = (await at.token(seen({ team: 'not:eq:$identity.group' })))('ada')
  await follows(t, byGroup, 200)
  await follows(t, notByGroup, 404)
  await at.ask({ method: 'POST', path: '/identity-groups', body: { name: 'RED' } })
  await at.ask({ method: 'PUT', path: `/identities/${at.ids.ada}`, body: { displayName: 'Ada again' } })
  await follows(t, byGroup, 404)
  await follows(t, notByGroup, 404)
})
