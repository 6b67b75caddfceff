import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { fillDisk, makeRoom } from '../../support/databases/full-disk.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { call } from '../../support/http/client.ts'
import { startGateway } from '../../support/http/gateway.ts'

test('while the disk is full writes get 503 with retry-after, reads continue, and readiness says so until there is room', async (t) => {
  const gateway = await startGateway(t, { routes })
  const headers = await (await makeAccount(gateway.deps.db)).token()
  const ask = (request: Parameters<typeof call>[1]) => call(gateway.port, { headers, ...request })
  const path = '/lists/things/items'
  const create = () => ask({ method: 'POST', path, body: { data: 'x'.repeat(50_000) } })
  const database = async () => Object((await ask({ path: '/health/ready' })).json).checks.database
  await ask({ method: 'POST', path: '/sync-schema', body: { lists: { things: {} } } })
  t.is((await create()).status, 201)

  await fillDisk(gateway.deps.db)
  for (let n = 0; n < 2; n++) {
    const rejected = await create()
    t.like(rejected, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
    t.is(rejected.headers['retry-after'], '10')
    t.deepEqual(await database(), { degraded: 'disk full' })
    t.is((await ask({ path: '/health/ready' })).status, 200)
    t.like(await ask({ path }), { status: 200, json: { total: 1 } })
  }
  const reported = () => gateway.logged().filter(({ event }) => /^storage|^request.failed/.test(event))
  t.deepEqual(
    reported().map(({ event, level, reason }) => ({ event, level, reason })),
    [{ event: 'storage.failed', level: 'error', reason: 'disk full' }],
    'it is logged once, and is not an error of the program',
  )
  t.like(
    gateway.logged().find(({ status }) => status === 503),
    { error: 'SERVICE_UNAVAILABLE', reason: 'disk full' },
  )

  await makeRoom(gateway.deps.db)
  t.is(await database(), 'ok')
  t.is(reported().at(-1)?.event, 'storage.recovered')
  t.is((await create()).status, 201)
  t.like(await ask({ path }), { json: { total: 2 } })
})
