import test, { type ExecutionContext } from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { createListCache } from '#services/gateway/resources/lists/list-cache.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import {
  type BackgroundValidator,
  backgroundLimits,
  createBackgroundValidator,
} from '#services/gateway/validation/background-validator.ts'
import { createSchemaValidator } from '#services/gateway/validation/schema-validator.ts'
import { until } from '../../../support/assertions/until.ts'
import { errorsOf } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { testLog } from '../../../support/test-context/test-log.ts'

// Validating by a stranger's schema does not delay other requests: long validations run in a thread.

const list = <T>(length: number, part: (n: number) => T): T[] => Array.from({ length }, (_, n) => part(n))
const named = (length: number, part: (n: number) => [string, unknown]) => Object.fromEntries(list(length, part))

/** Validating `manyKeys` by `manyPatterns` takes more steps than a validation may. */
const manyPatterns = { patternProperties: named(500, (n) => [`^(a+)+${n}$`, { type: 'number' }]) }
const manyKeys = named(5_000, (n) => [`${'a'.repeat(30)}${n}`, 1])

/** A gateway with a list `big` of the schema, the kinds of the tasks of its validation thread, and functions that call it. */
async function start(
  t: ExecutionContext,
  { schema = manyPatterns as object, validate }: { schema?: object; validate?: BackgroundValidator } = {},
) {
  const tasks: string[] = []
  const gateway = await startGateway(t, {
    routes: [...listRoutes, ...itemRoutes, ...syncSchemaRoutes],
    adapt(deps) {
      const schemas = createSchemaValidator({
        run(accountId, task) {
          tasks.push(task.kind)
          return (task.kind === 'validate' && validate ? validate : deps.backgroundValidator).run(accountId, task)
        },
      })
      return { ...deps, schemas, lists: createListCache(deps.db, schemas) }
    },
  })
  const headers = await (await makeAccount(gateway.deps.db)).token()
  const ask = (method: string, path: string, body?: unknown) => {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    return call(gateway.port, { method, path, headers: { ...headers, ...type }, body })
  }
  const added = await ask('POST', '/lists', { pathName: 'big', schema })
  t.is(added.status, 201, added.text)
  return { ask, create: (data: unknown) => ask('POST', '/lists/big/items', { data }), tasks }
}

test('a heavy schema is checked, and validates, in the thread', async (t) => {
  const { ask, create, tasks } = await start(t)
  const rejected = await create(manyKeys)
  t.is(rejected.status, 400)
  t.deepEqual(errorsOf(rejected), [
    {
      pointer: '',
      path: 'data',
      message: 'takes too many steps to be checked against the schema',
      msg: 'takes too many steps to be checked against the schema',
    },
  ])
  t.deepEqual(
    errorsOf(await create({ aaa7: 'x', aaa8: 1 })).map(({ pointer, message }) => [pointer, message]),
    [['/aaa7', 'must be number']],
  )
  const created = await create({ aaa7: 1 })
  t.is(created.status, 201)
  const updated = await ask('PUT', `/lists/big/items/${created.json?.id}`, { data: { aaa7: 2 } })
  t.is(updated.status, 200)
  t.deepEqual(tasks, ['check', 'validate', 'validate', 'validate', 'validate'])
})

test('branches of many patterns are validated in the thread', async (t) => {
  const schema = { anyOf: list(1_500, (n) => ({ pattern: `^(a+)+${n % 500}$` })) }
  const { create, tasks } = await start(t, { schema })
  t.is((await create('aaaa499')).status, 201)
  const rejected = await create('b'.repeat(10_000))
  t.is(rejected.json?.name, 'ITEM_SCHEMA_INVALID')
  t.deepEqual(tasks, ['check', 'validate', 'validate'])
})

test('an invalid heavy schema is rejected by the thread, in a list and in a sync', async (t) => {
  const { ask, tasks } = await start(t)
  const wrong = { anyOf: list(400, (n) => ({ minimum: n })), type: 'text' }
  t.deepEqual(
    errorsOf(await ask('PUT', '/lists/big', { schema: wrong })).map(({ path }) => path),
    ['schema.type'],
  )
  const synced = await ask('POST', '/sync-schema', { lists: { a: { schema: wrong }, b: { schema: { type: 1 } } } })
  t.deepEqual(
    errorsOf(synced).map(({ path }) => path),
    ['lists.a.schema.type', 'lists.b.schema.type'],
  )
  t.deepEqual(tasks, ['check', 'check', 'check'])
})

test('a small schema and a small item need no thread', async (t) => {
  const { create, tasks } = await start(t, { schema: { type: 'object', required: ['a'] } })
  t.is((await create({ a: 1 })).status, 201)
  t.is((await create({})).status, 400)
  t.deepEqual(tasks, [])
})

/** The main module of a thread that answers nothing. */
const silent = new URL("data:text/javascript,import 'node:worker_threads'; setInterval(() => {}, 1000)")

test('other requests are answered while validations are in progress', async (t) => {
  const { log } = testLog(t, 'validate')
  const validate = createBackgroundValidator({ log, main: silent })
  const { ask, create, tasks } = await start(t, { validate })
  const validations = list(4, () => create(manyKeys))
  await until(() => tasks.length === 5, { what: 'four validations in progress' })
  t.is((await ask('GET', '/lists/big')).status, 200)
  await validate.close()
  t.deepEqual(
    (await Promise.all(validations)).map(({ status }) => status),
    [503, 503, 503, 503],
  )
})

test('beyond the limit of waiting validations, and when the thread ends, the response is 503', async (t) => {
  const waiting = { ...backgroundLimits.waiting, account: { entries: 1, size: 1_000_000 } }
  const { log } = testLog(t, 'validate')
  const validate = createBackgroundValidator({ log, limits: { ...backgroundLimits, waiting }, main: silent })
  const { create, tasks } = await start(t, { validate })
  const first = [create({}), create({})]
  await until(() => tasks.length === 3 && validate.waiting() === 1, {
    what: 'one validation in progress and one waiting',
  })
  const rejected = await create({})
  t.is(rejected.status, 503)
  t.is(rejected.headers['retry-after'], '1')
  await validate.close()
  t.deepEqual(
    (await Promise.all(first)).map(({ status }) => status),
    [503, 503],
  )
})

test('numbers of items are compared with those of the schema by their decimal value, here and in the thread', async (t) => {
  const ids = { type: 'array', uniqueItems: true }
  const { ask, tasks } = await start(t, { schema: { properties: { n: { type: 'integer', maximum: 2 ** 53 }, ids } } })
  const send = (data: string) => ask('POST', '/lists/big/items', `{"data": ${data}}`)
  const valid = '{"n": 9007199254740992, "ids": [9007199254740992, 9007199254740993]}'
  t.is((await send(valid)).status, 201)
  const invalid = [
    '{"n": 9007199254740993}',
    '{"n": 1.00000000000000000001}',
    '{"ids": [9007199254740993, 9007199254740993.0]}',
  ]
  for (const data of invalid) t.is((await send(data)).status, 400, data)
  t.false(tasks.includes('validate'))
  const text = `"text": "${'a'.repeat(70_000)}"`
  t.is((await send(valid.replace('{', `{${text}, `))).status, 201)
  for (const data of invalid) t.is((await send(data.replace('{', `{${text}, `))).status, 400, data)
  t.true(tasks.includes('validate'))
})
