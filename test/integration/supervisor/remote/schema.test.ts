import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createClient } from '#client/src/client.ts'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { until } from '../../../support/assertions/until.ts'
import { runBuilds } from '../../../support/databases/contents/index-jobs.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { commandsWith } from '../../../support/processes/command-line.ts'
import { manyBytes } from '../../../support/sync/sync.ts'
import { testFolder } from '../../../support/test-context/folder.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
})

/** Commands with a token of a new account, which has these rules or may do everything. */
async function world(t: ExecutionContext, rules?: PermissionRule[]) {
  const url = `http://127.0.0.1:${gateway.port}`
  const { token, user } = await makeAccount(gateway.deps.db)
  const { 'x-api-token': apiToken = '' } = await token(rules)
  const folder = await testFolder(t)
  const run = commandsWith({ LISTD_URL: url, LISTD_TOKEN: apiToken })
  const client = createClient({ url, session: (user.authorization ?? '').slice('Bearer '.length) })
  const file = async (name: string, content: unknown): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }
  return { run, client, file, path: (name: string) => join(folder, name) }
}

const recipes = { name: 'Recipes', indexes: { slug: { pointer: '/slug', filtering: true } } }
const document = { scope: 'cookbook', lists: { recipes } }

test('a plan is shown and applied exactly, and then there is nothing to do', async (t) => {
  const { run, file, client } = await world(t)
  const doc = await file('lists.json', document)
  const planned = await run(['schema', 'plan', doc, '--exit-code'])
  t.like(planned, { code: 10, stderr: '' })
  t.regex(
    planned.stdout,
    /^\+ create {4}list {2}recipes\n\+ create {4}index recipes\.slug\n\nScope cookbook: 2 to create\.\n$/,
  )
  t.is(
    await client.lists
      .all()
      .total()
      .then(({ total }) => total),
    0,
  )
  t.like(await run(['schema', 'plan', doc]), { code: 0 })

  const applied = await run(['schema', 'apply', doc, '--yes'])
  t.like(applied, { code: 0, stderr: 'Applied.\n' })
  t.is((await client.lists.get('recipes')).scope, 'cookbook')
  const again = await run(['schema', 'plan', doc, '--exit-code'])
  t.deepEqual(again, { code: 0, stdout: 'Scope cookbook: nothing to do, 2 unchanged.\n', stderr: '' })
  t.like(await run(['schema', 'apply', doc]), { code: 0, stderr: '' })
})

test('there is no prompt without a terminal, and on a terminal only the requested answer applies', async (t) => {
  const { run, file, client } = await world(t)
  const doc = await file('lists.json', document)
  const unasked = await run(['schema', 'apply', doc], { input: 'yes\n' })
  t.is(unasked.code, 5)
  t.regex(unasked.stderr, /no terminal .* add --yes/)
  for (const input of ['no\n', '', '\n']) {
    const rejected = await run(['schema', 'apply', doc], { input, isTTY: true })
    t.is(rejected.code, 5)
    t.regex(rejected.stderr, /nothing was changed/)
  }
  t.is((await client.lists.all().total()).total, 0)
  t.is((await run(['schema', 'apply', doc], { input: 'yes\n', isTTY: true })).code, 0)

  for (const slug of ['a', 'b']) await client.list('recipes').create({ data: { slug } })
  const empty = await file('empty.json', { scope: 'cookbook', lists: {} })
  const destructive = ['schema', 'apply', empty, '--prune', '--allow-destructive']
  t.like(await run(destructive, { input: 'yes\n', isTTY: true }), { code: 5 })
  t.is((await client.lists.all().total()).total, 1)
  const deleted = await run(destructive, { input: '2\n', isTTY: true })
  t.is(deleted.code, 0)
  t.regex(deleted.stderr, /^This permanently deletes 2 items\. Type 2 to go ahead: Applied\.\n$/)
  t.is((await client.lists.all().total()).total, 0)
})

test('changes that are not allowed are reported with their option, and change nothing', async (t) => {
  const { run, file, client } = await world(t)
  const doc = await file('lists.json', document)
  await run(['schema', 'apply', doc, '--yes'])
  await client.list('recipes').create({ data: { slug: 'a', path: 'b' } })
  const slug = { pointer: '/path', filtering: true }
  const rebuild = await file('rebuild.json', { ...document, lists: { recipes: { indexes: { slug } } } })
  const prune = await file('prune.json', { scope: 'cookbook', lists: {} })
  const conflict = await file('conflict.json', { scope: 'other', lists: { recipes } })
  const rejected = [
    [[rebuild], 2, /add --allow-rebuild\.\n$/],
    [[prune, '--prune'], 4, /add --allow-destructive\.\n$/],
    [[conflict], 1, /scope/],
  ] as const
  for (const [args, code, sentence] of rejected) {
    for (const command of [['plan'], ['apply', '--yes']]) {
      const result = await run(['schema', ...command, ...args])
      t.is(result.code, code, args.join(' '))
      t.regex(result.stderr, sentence)
    }
    for (const command of ['plan', 'apply']) {
      t.is(JSON.parse((await run(['schema', command, ...args, '--json'])).stdout).applied, false)
    }
  }
  t.is((await client.list('recipes').indexes.get('slug')).pointer, '/slug')
})

test('a saved plan is applied only unchanged', async (t) => {
  const { run, file, path, client } = await world(t)
  const doc = await file('lists.json', document)
  t.is((await run(['schema', 'plan', doc, '--out', path('plan.json')])).code, 0)
  await client.lists.create({ pathName: 'recipes' })
  const changed = await run(['schema', 'apply', path('plan.json'), '--yes'])
  t.is(changed.code, 12)
  t.regex(changed.stderr, /have changed since the plan was saved/)
  t.is((await client.lists.get('recipes')).scope, null)
  await client.lists.delete('recipes')
  t.is((await run(['schema', 'apply', path('plan.json'), '--yes'])).code, 0)
  t.is((await client.lists.get('recipes')).scope, 'cookbook')
})

test('apply waits until its indexes are built, and a failed build is exit code 3', async (t) => {
  const { run, file, client } = await world(t)
  await client.lists.create({ pathName: 'recipes' })
  const items = client.list('recipes')
  await items.create({ data: { slug: 'a', same: 'x' } })
  await items.create({ data: { slug: 'b', same: 'x' } })
  const doc = await file('lists.json', {
    lists: { recipes: { indexes: { slug: { pointer: '/slug' }, same: { pointer: '/same', alias: true } } } },
  })
  const applying = run(['schema', 'apply', doc, '--yes', '--json'])
  const isBuilding = async () => (await items.indexes.all().total()).total === 2
  await until(isBuilding, { what: 'two indexes' })
  await runBuilds(gateway.deps.db)
  const applied = await applying
  t.is(applied.code, 3)
  t.true(JSON.parse(applied.stdout).applied)
  t.regex(applied.stderr, /^recipes\.slug: ready$/m)
  t.regex(applied.stderr, /^listd: The build has failed: recipes\.same\./m)
  const waited = await run(['schema', 'wait', '--json'])
  t.is(waited.code, 3)
  t.deepEqual(
    JSON.parse(waited.stdout).toSorted((one: { index: string }, other: { index: string }) =>
      one.index < other.index ? -1 : 1,
    ),
    [
      { list: 'recipes', index: 'same', buildStatus: 'failed' },
      { list: 'recipes', index: 'slug', buildStatus: 'ready' },
    ],
  )
  t.is((await run(['schema', 'wait', 'none'])).code, 6)
})

test('a token that may not view indexes applies them, and does not wait', async (t) => {
  const actions = ['sync-schema', 'create', 'update'] as const
  const { run, file, client } = await world(
    t,
    actions.map((action) => ({ mode: 'allow', action })),
  )
  await client.lists.create({ pathName: 'recipes' })
  await client.list('recipes').create({ data: { slug: 'a' } })
  const applied = await run(['schema', 'apply', await file('lists.json', { lists: { recipes } }), '--yes'])
  t.is(applied.code, 0)
  t.regex(applied.stderr, /^Applied\.\nrecipes\.slug: .* may not view it: not waited for\n$/)
})

test('a pulled document is always the same text, and its plan has nothing to do', async (t) => {
  const { run, file, path } = await world(t)
  const big = '{"type":"object","properties":{"n":{"maximum":12345678901234567890}}}'
  const lists = `{"zebras":{"schema":${big}},"recipes":${JSON.stringify(recipes)}}`
  await run(['schema', 'apply', await file('lists.json', `{"scope":"cookbook","lists":${lists}}`), '--yes'])
  const pulled = await run(['schema', 'pull', '--scope', 'cookbook'])
  t.is(pulled.code, 0)
  t.regex(
    pulled.stdout,
    /^\{\n {2}"scope": "cookbook",\n {2}"lists": \{\n {4}"recipes": \{\n(.*\n)* {4}"zebras": \{\n(.*\n)*\}\n$/,
  )
  t.regex(pulled.stdout, /"maximum": 12345678901234567890\n/)
  t.like(await run(['schema', 'pull', '--out', path('pulled.json')]), { code: 0, stdout: '' })
  t.is(await readFile(path('pulled.json'), 'utf8'), pulled.stdout)
  t.regex((await run(['schema', 'plan', path('pulled.json'), '--prune'])).stdout, /nothing to do, 3 unchanged/)
  t.regex((await run(['schema', 'pull', '--lists', 'zebras', '--tagged', 'none'])).stdout, /"lists": \{\}/)
  const gone = await run(['schema', 'pull', '--lists', 'zebras,gone', '--out', path('pulled.json')])
  t.like(gone, { code: 6, stdout: '', stderr: 'listd: There is no list "gone", or the token may not view it.\n' })
  t.is((await run(['schema', 'pull', '--scope', 'cokbook', '--out', path('pulled.json')])).code, 6)
  t.is(await readFile(path('pulled.json'), 'utf8'), pulled.stdout)
})

test('too many lists for one document are not pulled in part, and the file stays unchanged', async (t) => {
  const { run, file, client } = await world(t)
  for (const lists of manyBytes) await client.sync.apply({ scope: 'long', lists })
  const path = await file('lists.json', 'before')
  const { code, stderr } = await run(['schema', 'pull', '--out', path])
  t.is(code, 8)
  t.regex(
    stderr,
    /The document of these lists is longer than a sync accepts .*; export fewer with scope, lists or tagged\. \(request /,
  )
  t.is(await readFile(path, 'utf8'), 'before')
})

test('the types of a document are those of its lists', async (t) => {
  const { run, file } = await world(t)
  const schema = { type: 'object', properties: { slug: { type: 'string' } } }
  const indexes = { ...recipes.indexes, Title: { pointer: '/title', sorting: true, filtering: true } }
  const doc = await file('lists.json', { scope: 'cookbook', lists: { recipes: { indexes, schema } } })
  const typed = await run(['types', doc], { env: { LISTD_URL: '', LISTD_TOKEN: '' } })
  t.is(typed.code, 0)
  t.regex(typed.stdout, /recipes: \{ data: Recipes; index: \{ slug: "string"; title: "string" \}; order: "title" \}/)
  await run(['schema', 'apply', doc, '--yes'])
  t.deepEqual(await run(['types']), typed)
  t.deepEqual(await run(['types', '--scope', 'cookbook']), typed)
  const wrong = await file('wrong.json', { lists: { x: { schema: { type: 'strin' } } } })
  t.regex((await run(['types', wrong])).stderr, /wrong\.json is not a valid document:\n {2}lists\.x\.schema\.type /)
  t.regex((await run(['types', doc, '--scope', 'x'])).stderr, /not both/)
})

test('lists are moved to another scope after a confirmation', async (t) => {
  const { run, file, client } = await world(t)
  await run(['schema', 'apply', await file('lists.json', document), '--yes'])
  const dry = await run(['schema', 'move', 'recipes', '--to', 'kitchen', '--dry-run'])
  t.like(dry, { code: 0 })
  t.regex(dry.stdout, /^move {5}list {2}recipes from cookbook\nmove {5}index recipes\.slug from cookbook\n/)
  t.is((await run(['schema', 'move', 'recipes', '--to', 'kitchen'])).code, 5)
  t.is((await client.lists.get('recipes')).scope, 'cookbook')
  t.is((await run(['schema', 'move', 'recipes', '--to', 'kitchen'], { isTTY: true, input: 'yes\n' })).code, 0)
  t.is((await client.lists.get('recipes')).scope, 'kitchen')
  t.like(await run(['schema', 'move', '--from', 'kitchen', '--release', '--yes']), { code: 0 })
  t.is((await client.lists.get('recipes')).scope, null)
  const gone = await run(['schema', 'move', 'recipes', 'gone', '--to', 'kitchen', '--yes'])
  t.is(gone.code, 1)
  t.is((await client.lists.get('recipes')).scope, null)
  t.regex((await run(['schema', 'move', 'recipes'])).stderr, /--to, or use --release/)
  t.regex((await run(['schema', 'move', '--to', 'x'])).stderr, /specify lists, or use --from with a scope/)
})

test('a document is checked without a server, by the same rules', async (t) => {
  const { run, file } = await world(t)
  const wrong = { scope: 'a b', lists: { x: { schema: { type: 'strin' } }, y: { indexes: { i: { pointer: 'p' } } } } }
  const offline = { env: { LISTD_URL: '', LISTD_TOKEN: '' } }
  t.like(await run(['schema', 'check', await file('right.json', document)], offline), { code: 0, stderr: '' })
  const meant = await file('meant.json', { lists: { x: { indexes: { i: { pointer: '/a/*' } } } } })
  const warned = await run(['schema', 'check', meant], offline)
  t.like(warned, { code: 0, stdout: `${meant} matches the format.\n` })
  t.regex(warned.stderr, /^warning: lists\.x\.indexes\.i: In the pointer "\*" .*\.\n$/)
  const newer = await file('newer.json', { lists: { x: { schema: { $defs: {}, 'x-list': 'y' } } } })
  t.regex(
    (await run(['schema', 'check', newer], offline)).stderr,
    /^warning: lists\.x: The schema has \$defs, which is not a keyword of draft-07 .*\.\n$/,
  )
  const checked = await run(['schema', 'check', await file('wrong.json', wrong), '--json'], offline)
  t.is(checked.code, 1)
  const planned = await run(['schema', 'plan', await file('wrong.json', wrong)])
  t.is(planned.code, 1)
  for (const { path, message } of JSON.parse(checked.stdout)) t.true(planned.stderr.includes(`\n  ${path} ${message}`))
  t.is(JSON.parse(checked.stdout).length, 3)
  const broken = await run(['schema', 'check', await file('broken.json', '{"lists":\n {,}}')], offline)
  t.regex(broken.stderr, /broken\.json:2:3: a key in double quotes is expected here\.\n$/)
  const twice = await run(['schema', 'check', await file('twice.json', '{"lists":{"a":{},\n"a":{}}}')], offline)
  t.regex(twice.stderr, /twice\.json:2:1: a key is repeated in one object\.\n$/)
  const long = await run(
    ['schema', 'check', await file('long.json', { $schema: 'x'.repeat(8_388_600), lists: {} })],
    offline,
  )
  t.regex(long.stderr, /the document must be at most 8388608 bytes long\n$/)
})

test('a file in another encoding is not read, because its letters would change', async (t) => {
  const { run, path } = await world(t)
  await writeFile(path('latin.json'), Buffer.from('{"lists":{"a":{"name":"Cr\u00e8me"}}}', 'latin1'))
  for (const command of ['check', 'plan', 'apply']) {
    const { code, stderr } = await run(['schema', command, path('latin.json')])
    t.is(code, 1)
    t.regex(stderr, /latin\.json is not UTF-8; save it in this encoding\.\n$/)
  }
  t.deepEqual(JSON.parse((await run(['schema', 'pull'])).stdout).lists, {})
})

test('a failure names the request and what to do', async (t) => {
  const { run, file } = await world(t, [{ mode: 'allow', action: 'sync-schema' }])
  const doc = await file('lists.json', document)
  const lacking = await run(['schema', 'apply', doc, '--yes'])
  t.is(lacking.code, 7)
  t.regex(lacking.stderr, /^listd: .* It lacks: create list, create index\. \(request \S+\)\n$/)
  const unknown = await run(['schema', 'plan', doc], { env: { LISTD_TOKEN: 'listd_api_unknown' } })
  t.is(unknown.code, 7)
  t.regex(unknown.stderr, /LISTD_TOKEN must be an activated API token .* \(request \S+\)\n$/)
  const missing = await run(['schema', 'plan', doc], { env: { LISTD_URL: '' } })
  const stderr = 'listd: LISTD_URL is not set; it is the address of a listd, such as https://lists.example.com.\n'
  t.deepEqual(missing, { code: 1, stdout: '', stderr })
  const away = await run(['schema', 'plan', doc], { env: { LISTD_URL: 'http://127.0.0.1:9' } })
  t.is(away.code, 1)
  t.regex(away.stderr, /cannot be reached\. Check LISTD_URL/)
})
