import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createClient } from '#client/src/client.ts'
import { RawJson } from '#client/src/json.ts'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { scriptedServer } from '../../../support/http/scripted-server.ts'
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

/** A list with an alias in a new account, and commands with a token that has these rules or may do everything. */
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

test('each line of NDJSON becomes an item, whose data keeps its text', async (t) => {
  const { run, file, client, slugs } = await world(t)
  const text = '{"slug":"a","2":1.0,"1":9007199254740993}\n\n{"slug":"b","n":1e400}\n'
  const result = await run(['items', 'import', await file('recipes.ndjson', text), ...into])
  t.deepEqual(result, { code: 0, stdout: 'Created 2 items.\n', stderr: '' })
  t.deepEqual(await slugs(), ['a', 'b'])
  const stored = await client.send('GET /lists/recipes/items/a/data').text()
  t.is(stored, '{"slug":"a","2":1.0,"1":9007199254740993}')
  const again = await run(['items', 'export', ...into])
  t.is(again.stdout, text.replace('\n\n', '\n'))
  t.is(again.stderr, 'Exported 2 items.\n')
})

test('standard input is read, also as one JSON array, and JSON output has the result', async (t) => {
  const { run, slugs } = await world(t)
  t.is((await run(['items', 'import', '-', ...into], { input: '{"slug":"a"}\n' })).code, 0)
  const array = await run(['items', 'import', '-', ...into, '--format', 'json', '--json'], {
    input: '[{"slug":"b"},\n{"slug":"c"}]',
  })
  t.deepEqual(JSON.parse(array.stdout), { rows: 2, created: 2, existing: 0, refused: 0 })
  t.deepEqual(await slugs(), ['a', 'b', 'c'])
})

test('columns of CSV are mapped by the list or --map, and are restored by an export', async (t) => {
  const { run, file, recipes, read, path } = await world(t)
  const csv = '\uFEFFslug;serves;note;tag 1;import_error\r\na;4;"x; ""y""";sweet;\r\nb;;;;old error\r\n'
  const map = ['--map', 'tag 1=/tags/0', '--map', 'note=']
  const { code, stderr } = await run(['items', 'import', await file('r.csv', csv), ...into, ...map])
  t.is(code, 0)
  t.regex(
    stderr,
    /^Columns: slug → \/slug \(text\), serves → \/serves \(number\), note is left out, tag 1 → \/tags\/0 \(text\), import_error is left out\.\n/,
  )
  t.deepEqual(
    (await recipes.items({ direction: 'asc' }).toArray(9)).map(({ data }) => data),
    [{ slug: 'a', serves: 4, tags: ['sweet'] }, { slug: 'b' }],
  )
  const exported = await run(['items', 'export', ...into, '--format', 'csv', '-o', path('out.csv')])
  t.deepEqual([exported.stdout, exported.stderr], ['', 'Exported 2 items.\n'])
  t.is(await read('out.csv'), '/slug,/serves,/tags\r\na,4,"[""sweet""]"\r\nb,,\r\n')
  const some = ['--format', 'csv', '--fields', 'version,/slug', '--filter', 'slug=b']
  t.is((await run(['items', 'export', ...into, ...some])).stdout, 'version,/slug\r\n1.0.0,b\r\n')
})

test('rejected rows go to a file with their errors, which can be corrected and imported', async (t) => {
  const { run, file, slugs, read, path } = await world(t)
  const csv = 'slug,serves\na,1\nb,many\n,2\na,3\nc,4\n'
  const result = await run(['items', 'import', await file('r.csv', csv), ...into, '--json'])
  t.is(result.code, 9)
  const rejects = path('r.csv.rejected.csv')
  const facts = { name: 'ROWS_REFUSED', rows: 5, created: 2, existing: 0, refused: 3, rejects, exitCode: 9 }
  t.like(JSON.parse(result.stdout), facts)
  t.regex(result.stderr, /^row 2, line 3: column serves: "many" is not a JSON number$/m)
  t.regex(result.stderr, /\nlistd: Created 2 items; 3 rows were rejected: see .*r\.csv\.rejected\.csv\.\n$/)
  const lines = (await read('r.csv.rejected.csv')).split('\n')
  t.is(lines[0], 'import_error,slug,serves')
  t.is(lines[1], '"column serves: ""many"" is not a JSON number",b,many')
  t.regex(lines[2] ?? '', /slug.*,,2$/)
  t.is(lines[3], '"Another item of the list has the alias ""a"".",a,3')
  t.deepEqual(await slugs(), ['a', 'c'])
  const corrected = (await read('r.csv.rejected.csv'))
    .replace('b,many', 'b,7')
    .replace(',,2', ',d,2')
    .replace('a,3', 'e,3')
  t.is((await run(['items', 'import', await file('r.csv.rejected.csv', corrected), ...into])).code, 0)
  t.deepEqual(await slugs(), ['a', 'c', 'b', 'd', 'e'])
})

test('rows with too many cells or stray quotes stay whole, and a clean run leaves no file of an earlier import', async (t) => {
  const { run, file, recipes, read, path } = await world(t)
  const bad = ['b,1,5\n', 'c" d,2\n', 'e\n']
  const source = await file('r.csv', `slug,serves\na,1\n${bad.join('')}`)
  t.is((await run(['items', 'import', source, ...into])).code, 9)
  const rejected = await read('r.csv.rejected.csv')
  for (const row of bad) t.true(rejected.includes(`,${row}`), row)
  const untouched = await run(['items', 'import', path('r.csv.rejected.csv'), ...into])
  t.regex(untouched.stderr, /listd: Created 0 items; 3 rows were rejected/)
  const corrected = rejected.replace('b,1,5', 'b,1.5').replace('c" d', '"c"" d"').replace('e\n', 'e,3\n')
  const clean = await run(['items', 'import', await file('r.csv.rejected.csv', corrected), ...into])
  t.is(clean.stdout, 'Created 3 items.\n')
  t.deepEqual(
    (await recipes.items({ order: 'createdAt', direction: 'asc' }).toArray(9)).map(({ data }) => data),
    [
      { slug: 'a', serves: 1 },
      { slug: 'b', serves: 1.5 },
      { slug: 'c" d', serves: 2 },
      { slug: 'e', serves: 3 },
    ],
  )
  await t.throwsAsync(read('r.csv.rejected.csv.rejected.csv'), { code: 'ENOENT' })
})

test('rejected rows of NDJSON and JSON are also files that can be corrected and imported', async (t) => {
  const { run, file, read, path, slugs } = await world(t)
  const text = '{"slug":5}\n{"slug":\n{"slug":"a"}\n'
  const { code } = await run([
    'items',
    'import',
    await file('r.ndjson', text),
    ...into,
    '--rejects',
    path('bad.ndjson'),
  ])
  t.is(code, 9)
  const lines = (await read('bad.ndjson')).split('\n')
  t.regex(lines[0] ?? '', /^#import_error row 1, line 1: \/slug: /)
  t.deepEqual([lines[1], lines[3]], ['{"slug":5}', '{"slug":'])
  const ndjson = lines.join('\n').replace('5}', '"b"}').replace('{"slug":\n', '{"slug":"c"}\n')
  t.is((await run(['items', 'import', await file('bad.ndjson', ndjson), ...into])).stdout, 'Created 2 items.\n')
  await run(['items', 'import', await file('r.json', '[{"slug":\n 6},{"slug":"d"},{"slug":7}]'), ...into])
  const json = (await read('r.json.rejected.json')).replace(' 6}', ' "e"}').replace('7}', '"f"}')
  t.is((await run(['items', 'import', await file('r.json.rejected.json', json), ...into])).code, 0)
  t.deepEqual(await slugs(), ['a', 'b', 'c', 'd', 'e', 'f'])
})

test('a dry run names the rows that would be rejected, and writes nothing', async (t) => {
  const { run, file, slugs } = await world(t)
  const path = await file('r.ndjson', '{"slug":"a"}\n{"slug":1}\n{"slug":"a"}\n')
  const { code, stdout, stderr } = await run(['items', 'import', path, ...into, '--dry-run'])
  t.deepEqual([code, stdout], [9, ''])
  t.regex(stderr, /^row 2, line 2: \/slug: .*\nrow 3, line 3: Another item of the list has the alias "a"\.\n/m)
  t.regex(stderr, /listd: 1 item would be created; 2 rows would be rejected\.\n$/)
  t.deepEqual(await slugs(), [])
})

test('a token only needs to create items', async (t) => {
  const { run, file, slugs } = await world(t, [{ mode: 'allow', action: 'create', resourceType: 'item' }])
  t.is((await run(['items', 'import', await file('r.csv', 'slug\na\n'), ...into])).code, 0)
  t.deepEqual(await slugs(), ['a'])
})

test('a terminal shows how much of the file has been read, in one line', async (t) => {
  const { run, file } = await world(t)
  const path = await file('r.ndjson', '{"slug":"a"}\n{"slug":"b"}\n')
  const { stderr } = await run(['items', 'import', path, ...into, '--batch', '1'], { isTTY: true })
  const lines = stderr.split('\r\u001b[K').map((line) => line.replace(/[\d,]+ rows\/s/, 'n rows/s'))
  const full = `[${'#'.repeat(20)}] 100 %`
  t.deepEqual(lines, ['', `${full} · 1 row · n rows/s`, `${full} · 2 rows · n rows/s`, ''])
})

test('an import waits for a busy server', async (t) => {
  const busy = {
    status: 503,
    headers: { 'retry-after': '0' },
    body: '{"name":"SERVICE_UNAVAILABLE","message":"Busy."}',
  }
  const { url, requests } = await scriptedServer(t, busy, busy, {})
  const run = commandsWith({ LISTD_URL: url, LISTD_TOKEN: 'x' })
  const result = await run(['items', 'import', '-', ...into], { input: '1\n' })
  t.is(result.code, 0, result.stderr)
  t.regex(result.stderr, /^Waiting 0 seconds: Busy\.$/m)
  t.is(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size, 1)
})

const wrong: [args: string[], says: RegExp][] = [
  [['import', '-', ...into, '--batch', '0'], /--batch must be a number from 1 to 1000/],
  [['import', '-', ...into, '--resume'], /--resume needs a file/],
  [['import', '-', ...into, '--map', 'a=/b'], /--map is for columns of a CSV file/],
  [['import', '-', ...into, '--format', 'csv', '--map', 'b=/b'], /there is no column "b"/],
  [['import', '-', ...into, '--format', 'csv', '--map', 'a=b'], /"b" is not a JSON Pointer/],
  [['import', '-', ...into, '--format', 'csv', '--map', 'a='], /all columns are left out/],
  [
    ['import', '-', ...into, '--format', 'json'],
    /standard input: line 1, column 1: expected the array to begin with "\["\./,
  ],
  [['import', 'nothing.csv', ...into], /nothing\.csv/],
  [['import', '-', ...into, '--rejects', '-'], /--rejects must name a file other than/],
  [['import', '/dev/null', ...into, '--resume'], /--resume needs a file/],
  [['import', '-', ...into, '--unguard-formulas'], /--unguard-formulas is for columns of a CSV file/],
  [['export', ...into, '--guard-formulas'], /--guard-formulas is for CSV/],
  [['export', ...into, '--fields', '/a'], /--fields names the columns of CSV/],
  [['export', ...into, '--format', 'csv', '--whole'], /--whole is for NDJSON/],
  [['export', ...into, '--format', 'csv', '--fields', 'a'], /"a" is neither a JSON Pointer/],
  [['export', ...into, '--filter', 'x'], /"x" is not a filter/],
  [['export', ...into, '--filter', 'limit=5'], /"limit" is not a filter of items/],
]

test('a usage error is reported in a sentence, and nothing is changed', async (t) => {
  const { run, slugs } = await world(t)
  for (const [args, says] of wrong) {
    const { code, stdout, stderr } = await run(['items', ...args], { input: 'a\n1\n' })
    t.deepEqual([code, stdout], [1, ''], args.join(' '))
    t.regex(stderr, says, args.join(' '))
  }
  t.deepEqual(await slugs(), [])
})

test('a missing list is named, in an import and an export', async (t) => {
  const { run, file, path } = await world(t)
  for (const args of [['import', await file('s.ndjson', '{}\n')], ['import', '-'], ['export']]) {
    const { code, stderr } = await run(['items', ...args, '--list', 'nothing'], { input: '{}\n' })
    t.is(code, 6)
    t.regex(stderr, /There is no list "nothing", or the token may not view it\./)
  }
  await t.throwsAsync(readFile(path('s.ndjson.nothing.import.json')), { code: 'ENOENT' })
})

test('an error of a file names the file, and a failed import says how far it got, even if that is nothing', async (t) => {
  const { run, file, path, slugs } = await world(t)
  await mkdir(path('folder.csv'))
  const nothing = { rows: 0, created: 0, existing: 0, refused: 0 }
  const open = await file('open.csv', 'slug\na\nb\n"c\n')
  const head = await file('head.csv', '"slug')
  await mkdir(path('good.csv.rejected.csv'))
  const good = await file('good.csv', 'slug,serves\na,x\n')
  const failing: [args: string[], says: RegExp][] = [
    [[path('folder.csv')], /folder\.csv is a folder, and must be a file; .* Nothing was imported\.$/],
    [[path('folder.csv'), '--format', 'ndjson'], /folder\.csv is a folder, .* Nothing was imported\.$/],
    [[open], /open\.csv: line 4, column 1: a quote is opened here and never closed\. Nothing was imported\.$/],
    [[head], /head\.csv: line 1, column 1: a quote .* Nothing was imported\.$/],
    [[good, '--map', 'slug=', '--map', 'serves='], /all columns are left out\. Nothing was imported\.$/],
    [[good], /good\.csv\.rejected\.csv is a folder, .*\. Nothing was imported\.$/],
  ]
  for (const [args, says] of failing) {
    const { code, stdout, stderr } = await run(['items', 'import', ...args, ...into, '--json'])
    t.is(code, 1, stderr)
    t.regex(stderr.trimEnd(), says)
    t.like(JSON.parse(stdout), nothing)
  }
  const dry = await run([
    'items',
    'import',
    await file('dry.csv', 'slug\na\nb\n"'),
    ...into,
    '--batch',
    '1',
    '--dry-run',
  ])
  t.regex(dry.stderr, /dry\.csv: line 4, .* The dry run stopped after 1 row\. Nothing was imported\.\n$/)
  const out = await run(['items', 'export', ...into, '-o', path('none/out.ndjson')])
  t.regex(out.stderr, /\/none does not exist\.\n$/)
  t.deepEqual(await slugs(), [])
})

test('positions without 0 form an array if the schema says so, and otherwise a warning names them', async (t) => {
  const { run, file, recipes } = await world(t)
  const csv = 'slug,/tags/1,/tags/2,/more/1\na,x,y,z\n'
  const { code, stderr } = await run(['items', 'import', await file('r.csv', csv), ...into])
  t.is(code, 0)
  t.regex(
    stderr,
    /^\/more\/1: \/more becomes an object with these members, not an array, because \/more\/0 has no column\./m,
  )
  const items = await recipes.items().toArray(9)
  t.deepEqual(
    items.map(({ data }) => data),
    [{ slug: 'a', tags: [null, 'x', 'y'], more: { 1: 'z' } }],
  )
})

test('a value without a column name is rejected, a first line sep=; is respected, and positions of arrays are kept', async (t) => {
  const { run, file, recipes, client } = await world(t)
  await client.lists.update('recipes', { schema: null })
  const csv = 'sep=|\nslug|/tags/0|/tags/1|\na||x|\nb|y||lost\n'
  const { code, stderr } = await run(['items', 'import', await file('r.csv', csv), ...into])
  t.is(code, 9)
  t.regex(stderr, /#4, which has no name, has to be empty\.\nrow 2, line 4: cell 4 has a value/)
  const again = await run([
    'items',
    'import',
    await file('s.csv', csv.replace('a|', 'c|')),
    ...into,
    '--map',
    '#4=/more',
  ])
  t.is(again.code, 0)
  const items = await recipes.items({ order: 'createdAt', direction: 'asc' }).toArray(9)
  t.deepEqual(
    items.map(({ data }) => data),
    [
      { slug: 'a', tags: [null, 'x'] },
      { slug: 'c', tags: [null, 'x'] },
      { slug: 'b', tags: ['y'], more: 'lost' },
    ],
  )
})

test('whole items are exported with their fields, in any order the API has', async (t) => {
  const { run, recipes } = await world(t)
  await recipes.create({ data: new RawJson('{"slug":"a","n":1.0}'), tags: ['x'] })
  await recipes.create({ data: { slug: 'b' } })
  const { stdout } = await run(['items', 'export', ...into, '--whole', '--order', 'createdAt', '--direction', 'desc'])
  const [first = '', second = ''] = stdout.split('\n')
  t.like(JSON.parse(first), { data: { slug: 'b' }, version: '1.0.0' })
  t.regex(second, /"data":\{"slug":"a","n":1\.0\}/)
})

test('an export reports data that no column shows, and leaves the file unchanged when it fails', async (t) => {
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

test('an export with guarded formulas is imported unchanged', async (t) => {
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
