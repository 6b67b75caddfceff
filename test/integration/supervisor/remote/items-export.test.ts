import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createClient } from '#client/src/client.ts'
import { RawJson } from '#client/src/json.ts'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { commandsWith } from '../../../support/processes/command-line.ts'
import { testFolder } from '../../../support/test-context/folder.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
})

const schema = {
  type: 'object',
  properties: { slug: { type: 'string' }, serves: { type: 'number' }, tags: { type: 'array' } },
  required: ['slug'],
}

/** A list of an account of its own, with an alias, and the commands as a token that has these rules or may do everything. */
async function world(t: ExecutionContext, rules?: PermissionRule[]) {
  const url = `http://127.0.0.1:${gateway.port}`
  const { token, user } = await makeAccount(gateway.deps.db)
  const { 'x-api-token': apiToken = '' } = await token(rules)
  const folder = await testFolder(t)
  const client = createClient({ url, session: (user.authorization ?? '').slice('Bearer '.length) })
  await client.lists.create({ name: 'Recipes', schema })
  const recipes = client.list('recipes')
  await recipes.indexes.create({ pathName: 'slug', pointer: '/slug', alias: true, filtering: true })
  const run = commandsWith({ LISTD_URL: url, LISTD_TOKEN: apiToken })
  const path = (name: string) => join(folder, name)
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(path(name), text)
    return path(name)
  }
  const slugs = async () =>
    (await recipes.items({ order: 'createdAt', direction: 'asc' }).toArray(1_000)).map(({ data }) => data.slug)
  return { run, client, recipes, file, path, slugs, read: (name: string) => readFile(path(name), 'utf8') }
}

const into = ['--list', 'recipes']

test('whole items are exported with their fields, in any order the API has', async (t) => {
  const { run, recipes } = await world(t)
  await recipes.create({ data: new RawJson('{"slug":"a","n":1.0}'), tags: ['x'] })
  await recipes.create({ data: { slug: 'b' } })
  const { stdout } = await run(['items', 'export', ...into, '--whole', '--order', 'createdAt', '--direction', 'desc'])
  const [first = '', second = ''] = stdout.split('\n')
  t.like(JSON.parse(first), { data: { slug: 'b' }, version: '1.0.0' })
  t.regex(second, /"data":\{"slug":"a","n":1\.0\}/)
})

test('an export tells of data that no column shows, and leaves the file as it was when it fails', async (t) => {
  const { run, recipes, file, read } = await world(t)
  const operations = Array.from({ length: 101 }, (_, n) => ({
    op: 'create' as const,
    data: { slug: `s${n}`, ...(n === 100 && { late: 1 }) },
  }))
  await recipes.batch(operations)
  const { stdout, stderr } = await run(['items', 'export', ...into, '--format', 'csv'])
  t.is(stdout.split('\r\n').length, 103)
  t.regex(stderr, /^1 item has data that no column shows; name the columns with --fields\.$/m)
  const out = await file('out.csv', 'before')
  const failed = await run(['items', 'export', ...into, '--filter', 'slog=x', '-o', out])
  t.is(failed.code, 1)
  t.regex(failed.stderr, /slog/)
  t.is(await read('out.csv'), 'before')
})

test('an export that guards formulas comes back as it was', async (t) => {
  const { run, recipes, file } = await world(t)
  const values = ['=1+1', "'=1", '-5', '@x', '\tx', '\r\nx', 'plain', "it's"]
  await recipes.batch(values.map((slug) => ({ op: 'create' as const, data: { slug, serves: -5 } })))
  const { stdout } = await run(['items', 'export', ...into, '--format', 'csv', '--guard-formulas'])
  t.true(stdout.includes("\r\n'=1+1,-5,\r\n''=1,-5,"))
  t.notRegex(stdout, /(?:^|[\n,"])[=@\t]/)
  await recipes.batch(values.map((slug) => ({ op: 'delete' as const, item: slug })))
  t.is((await run(['items', 'import', await file('g.csv', stdout), ...into, '--unguard-formulas'])).code, 0)
  const items = await recipes.items({ order: 'createdAt', direction: 'asc' }).toArray(9)
  t.deepEqual(
    items.map(({ data }) => data),
    values.map((slug) => ({ slug, serves: -5 })),
  )
})
