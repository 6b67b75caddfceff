import test from 'ava'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { until } from '../../../support/assertions/until.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { startNats } from '../../../support/nats/nats.ts'
import { afterAll } from '../../../support/test-context/shared.ts'
import { answerProbes } from '../../../support/webhooks/webhook-probe.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  const nats = await startNats()
  cleanup.teardown(nats.dispose)
  gateway = await startGateway(cleanup, { routes: webhookRoutes, natsUrl: nats.url })
  await answerProbes(cleanup, nats.url, () => null)
  account = await makeAccount(gateway.deps.db)
  await until(async () => gateway.deps.bus.connected())
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const create = (body: object) => ask({ method: 'POST', path: '/webhooks', body: { events: [], ...body } })
const put = (id: unknown, body: object) => ask({ method: 'PUT', path: `/webhooks/${id}`, body })
const url = 'https://hooks.example.com/in'

test.serial(
  'filters are stored by list, shown with the current path names, and mean what they meant when they were saved',
  async (t) => {
    const indexes = [
      { pathName: 'minutes', pointer: '/minutes', valueType: 'number', filtering: true },
      { pathName: 'secret', pointer: '/secret', guard: true },
    ]
    const id = await addList(gateway.deps.db, account.accountId, { pathName: 'Stews', indexes })
    const where = { stews: { MINUTES: 'lt:30' } }
    const { json: created } = await create({ url, where })
    t.deepEqual(created?.where, { Stews: { minutes: 'lt:30' } })
    const saved = await gateway.deps.db.get<{ filters: string }>('select filters from webhooks where id = ?', [
      created?.id,
    ])
    const filter = { index: 'minutes', pointer: '/minutes', valueType: 'number', alias: false, source: 'lt:30' }
    t.deepEqual(JSON.parse(saved?.filters ?? ''), { [id]: [filter] })
    t.deepEqual((await put(created?.id, { description: 'x' })).json?.where, { Stews: { minutes: 'lt:30' } })

    await gateway.deps.db.run('delete from lists where id = ?', [id])
    t.deepEqual((await ask({ path: `/webhooks/${created?.id}` })).json?.where, { [id]: { minutes: 'lt:30' } })
    const kept = await put(created?.id, { where: { [id]: { minutes: 'lt:30' } } })
    t.deepEqual([kept.status, kept.json?.where], [200, { [id]: { minutes: 'lt:30' } }])
    t.deepEqual(errorPaths(await put(created?.id, { where: { [id]: { minutes: 'lt:40' } } })), [`where.${id}`])
    t.deepEqual((await put(created?.id, { where: {} })).json?.where, {})
  },
)

test.serial('filters are combined like those of pages of items', async (t) => {
  const indexes = [
    { pathName: 'minutes', pointer: '/minutes', valueType: 'number', filtering: true },
    { pathName: 'title', pointer: '/title', filtering: true },
    { pathName: 'or', pointer: '/or', filtering: true },
  ]
  await addList(gateway.deps.db, account.accountId, { pathName: 'curries', indexes })
  const sent = {
    curries: { TITLE: null, 'index.or': 'x', or: [{ minutes: 5 }, { not: { title: ['starts:a', 'not:ab'] } }] },
  }
  const shown = {
    curries: { title: 'null', 'index.or': 'x', or: [{ minutes: '5' }, { not: { title: ['starts:a', 'not:ab'] } }] },
  }
  const { status, json } = await create({ url, where: sent })
  t.deepEqual([status, json?.where], [201, shown])
  t.deepEqual((await put(json?.id, { where: shown })).json?.where, shown)
})

test.serial('filters without a meaning are rejected, each with its position', async (t) => {
  const indexes = [
    { pathName: 'minutes', pointer: '/minutes', valueType: 'number', filtering: true },
    { pathName: 'secret', pointer: '/secret', guard: true },
  ]
  const id = await addList(gateway.deps.db, account.accountId, { pathName: 'pies', indexes })
  const rejected = async (where: object) => errorPaths(await create({ url, where }))
  t.deepEqual(await rejected({ pies: { minutes: 'soon', secret: 'x', other: 'x' }, nowhere: { minutes: '5' } }), [
    'where.nowhere',
    'where.pies.minutes',
    'where.pies.other',
    'where.pies.secret',
  ])
  t.deepEqual(await rejected({ pies: { minutes: '5', Minutes: '6' } }), ['where.pies.Minutes'])
  t.deepEqual(await rejected({ pies: { minutes: '5' }, [id]: { minutes: '6' } }), [`where.${id}`])
  t.deepEqual(await rejected({ pies: {} }), ['where.pies'])
  t.deepEqual(await rejected({ pies: { minutes: '' } }), ['where.pies.minutes'])
  const deep = { or: [{ and: [{ not: { or: [{ and: [{ minutes: '5' }] }] } }] }] }
  const many = { minutes: Array.from({ length: 21 }, () => '5') }
  const cases: [conditions: object, path: string][] = [
    [{ or: [{ minutes: '5' }, { minutes: 'soon' }] }, 'or.1.minutes'],
    [{ or: [{ secret: null }] }, 'or.0.secret'],
    [{ not: { not: { other: 'x' } } }, 'not.not.other'],
    [{ not: { minutes: '5', Minutes: '6' } }, 'not.Minutes'],
    [{ or: { minutes: '5' } }, 'or'],
    [{ or: [] }, 'or'],
    [{ not: {} }, 'not'],
    [{ minutes: true }, 'minutes'],
    [{ minutes: ['5', { a: 1 }] }, 'minutes.1'],
    [{ minutes: 'x'.repeat(10_000) }, 'minutes'],
    [{ minutes: '5\u0000' }, 'minutes'],
    [{ or: [{ createdAt: 'after:2026-01-01' }] }, 'or.0.createdAt'],
    [{ activated: 'maybe' }, 'activated'],
    [{ not: { readonly: null } }, 'not.readonly'],
    [{ tagged: 5 }, 'tagged'],
    [{ tagged: 'a,null' }, 'tagged'],
    [deep, 'or.0.and.0.not.or.0.and'],
    [many, 'minutes'],
  ]
  for (const [conditions, path] of cases) {
    t.deepEqual(await rejected({ pies: conditions }), [`where.pies.${path}`], JSON.stringify(conditions).slice(0, 80))
  }
  t.regex((await create({ url, where: { pies: { or: [{ minuts: '5' }] } } })).text, /did you mean \\"minutes\\"/)
})

test.serial(
  'conditions on activated, tagged and readonly can be used next to those on indexes, even one with such a name',
  async (t) => {
    await addList(gateway.deps.db, account.accountId, {
      pathName: 'soups',
      indexes: [{ pathName: 'tagged', pointer: '/tagged', filtering: true }],
    })
    const where = {
      soups: { activated: true, 'index.tagged': 'x', or: [{ tagged: ['new,hot', 'not:old'] }, { readonly: 'false' }] },
    }
    const shown = { soups: { ...where.soups, activated: 'true' } }
    const { status, json } = await create({ url, where })
    t.deepEqual([status, json?.where], [201, shown])
    t.deepEqual((await put(json?.id, { where: shown })).json?.where, shown)
  },
)

test.serial('a filter needs an index with filtering, as on pages; filters saved earlier stay', async (t) => {
  const { db } = gateway.deps
  const indexes = [
    { pathName: 'minutes', pointer: '/minutes', valueType: 'number', filtering: true },
    { pathName: 'slug', pointer: '/slug', alias: true },
    { pathName: 'off', pointer: '/off', filtering: true, activated: false },
  ]
  await addList(db, account.accountId, { pathName: 'cakes', indexes })
  const reported = async (conditions: object) => {
    const { status, json } = await create({ url, where: { cakes: conditions } })
    return [status, json?.name, json?.message, json?.details]
  }
  const unusable = 'where.cakes.slug: The index does not have "filtering" turned on.'
  t.deepEqual(await reported({ slug: 'a' }), [400, 'INDEX_NOT_USABLE', unusable, { index: 'slug' }])
  t.deepEqual(await reported({ not: { or: [{ minutes: 5 }, { off: 'a' }] } }), [
    400,
    'INDEX_NOT_USABLE',
    'where.cakes.off: The index is not activated.',
    { index: 'off' },
  ])

  const { json: created } = await create({ url, where: { cakes: { minutes: 'lt:30' } } })
  await db.run("update indexes set filtering = ?, pointer = ? where path_name = 'minutes' and pointer = '/minutes'", [
    0,
    '/m',
  ])
  const cakes = { minutes: 'lt:30', activated: 'true' }
  t.deepEqual((await put(created?.id, { where: { cakes } })).json?.where, { cakes })
  const saved = await db.get<{ filters: string }>('select filters from webhooks where id = ?', [created?.id])
  t.regex(saved?.filters ?? '', /"pointer":"\/minutes"/)
  t.is((await put(created?.id, { where: { cakes: { minutes: 'lt:40' } } })).json?.name, 'INDEX_NOT_USABLE')
})
