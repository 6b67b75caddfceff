import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createClient } from '#client/src/client.ts'
import { RawJson } from '#client/src/json.ts'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { TextDigest } from '#shared/domain/text/digest.ts'
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

test('each line of NDJSON becomes an item, whose data keeps its text', async (t) => {
  const { run, file, client, slugs } = await world(t)
  const text = '{"slug":"a","2":1.0,"1":9007199254740993}\n\n{"slug":"b","n":1e400}\n'
  const result = await run(['items', 'import', await file('recipes.ndjson', text), ...into])
  t.deepEqual(result, { code: 0, stdout: 'Imported 2 items.\n', stderr: '' })
  t.deepEqual(await slugs(), ['a', 'b'])
  const stored = await client.send('GET /lists/recipes/items/a/data').text()
  t.is(stored, '{"slug":"a","2":1.0,"1":9007199254740993}')
  const again = await run(['items', 'export', ...into])
  t.is(again.stdout, text.replace('\n\n', '\n'))
  t.is(again.stderr, 'Exported 2 items.\n')
})

test('standard input is read, also as one JSON array, and JSON tells what was done', async (t) => {
  const { run, slugs } = await world(t)
  t.is((await run(['items', 'import', '-', ...into], { input: '{"slug":"a"}\n' })).code, 0)
  const array = await run(['items', 'import', '-', ...into, '--format', 'json', '--json'], {
    input: '[{"slug":"b"},\n{"slug":"c"}]',
  })
  t.deepEqual(JSON.parse(array.stdout), { rows: 2, created: 2, refused: 0 })
  t.deepEqual(await slugs(), ['a', 'b', 'c'])
})

test('columns of CSV go where the list or --map says, and come back from an export', async (t) => {
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

test('refused rows go to a file with their errors, which can be corrected and imported', async (t) => {
  const { run, file, slugs, read, path } = await world(t)
  const csv = 'slug,serves\na,1\nb,many\n,2\na,3\nc,4\n'
  const result = await run(['items', 'import', await file('r.csv', csv), ...into, '--json'])
  t.is(result.code, 9)
  const rejects = path('r.csv.rejected.csv')
  t.like(JSON.parse(result.stdout), { name: 'ROWS_REFUSED', rows: 5, created: 2, refused: 3, rejects, exitCode: 9 })
  t.regex(result.stderr, /^row 2, line 3: column serves: "many" is not a number as JSON has it$/m)
  t.regex(result.stderr, /\nlistd: Imported 2 items; 3 rows were refused: see .*r\.csv\.rejected\.csv\.\n$/)
  const lines = (await read('r.csv.rejected.csv')).split('\r\n')
  t.is(lines[0], 'slug,serves,import_error')
  t.is(lines[1], 'b,many,"column serves: ""many"" is not a number as JSON has it"')
  t.regex(lines[2] ?? '', /^,2,.*slug/)
  t.is(lines[3], 'a,3,"Another item of the list has the alias ""a""."')
  t.deepEqual(await slugs(), ['a', 'c'])
  const corrected = (await read('r.csv.rejected.csv'))
    .replace('many', '7')
    .replace('\r\n,2', '\r\nd,2')
    .replace('a,3', 'e,3')
  t.is((await run(['items', 'import', await file('r.csv.rejected.csv', corrected), ...into])).code, 0)
  t.deepEqual(await slugs(), ['a', 'c', 'b', 'd', 'e'])
})

test('refused rows of NDJSON keep their data, or their text where that is no JSON', async (t) => {
  const { run, file, read, path } = await world(t)
  const text = '{"slug":5}\n{"slug":\n{"slug":"a"}\n'
  const { code } = await run(['items', 'import', await file('r.ndjson', text), ...into, '--rejects', path('bad')])
  t.is(code, 9)
  const [first = '', second = ''] = (await read('bad')).split('\n')
  t.like(JSON.parse(first), { row: 1, line: 1, data: { slug: 5 }, errors: [{ pointer: '/slug' }] })
  t.like(JSON.parse(second), { row: 2, line: 2, text: '{"slug":' })
})

test('a dry run names the rows that would be refused, and writes nothing', async (t) => {
  const { run, file, slugs } = await world(t)
  const path = await file('r.ndjson', '{"slug":"a"}\n{"slug":1}\n{"slug":"a"}\n')
  const { code, stdout, stderr } = await run(['items', 'import', path, ...into, '--dry-run'])
  t.deepEqual([code, stdout], [9, ''])
  t.regex(stderr, /^row 2, line 2: \/slug: .*\nrow 3, line 3: Another item of the list has the alias "a"\.\n/m)
  t.regex(stderr, /listd: 1 item would be imported; 2 rows were refused\.\n$/)
  t.deepEqual(await slugs(), [])
})

test('an import that was cut off goes on, and makes and refuses every row once', async (t) => {
  const { run, file, slugs, read } = await world(t)
  const rows = Array.from({ length: 10 }, (_, n) => `{"slug":${n === 3 || n === 7 ? n : `"s${n}"`}}`)
  const whole = await file('r.ndjson', rows.join('\n'))
  const args = ['items', 'import', whole, ...into, '--batch', '2']
  t.is((await run(args)).code, 9)
  // As it is left behind when the process is killed while it sends its second batch.
  const progress = `${whole}.recipes.import.json`
  const digest = digestBehind(rows.slice(0, 2))
  const url = `http://127.0.0.1:${gateway.port}`
  const state = { format: 1, url, list: 'recipes', batch: 2, rejectsBytes: 0, row: 2, digest, created: 2, refused: 0 }
  await writeFile(progress, JSON.stringify({ ...state, leftOut: [4] }))
  const unasked = await run(args)
  t.is(unasked.code, 1)
  t.regex(
    unasked.stderr,
    /was cut off behind row 2: add --resume to go on, or delete .*r\.ndjson\.recipes\.import\.json/,
  )
  const resumed = await run([...args.slice(0, -2), '--resume', '--json'])
  t.is(resumed.code, 9)
  t.like(JSON.parse(resumed.stdout), { rows: 10, created: 8, refused: 2 })
  t.deepEqual(await slugs(), ['s0', 's1', 's2', 's4', 's5', 's6', 's8', 's9'])
  const rejected = (await read('r.ndjson.rejected.ndjson')).trimEnd().split('\n')
  t.deepEqual(
    rejected.map((line) => JSON.parse(line).row),
    [4, 8],
  )
  await t.throwsAsync(readFile(progress), { code: 'ENOENT' })
  await writeFile(progress, JSON.stringify({ ...state, digest: 'x', leftOut: [] }))
  t.regex((await run([...args, '--resume'])).stderr, /the first 2 rows are not those that were imported/)
  await writeFile(progress, JSON.stringify({ ...state, url: 'http://x' }))
  t.regex((await run([...args, '--resume'])).stderr, /was into http:\/\/x: set LISTD_URL/)
})

function digestBehind(rows: readonly string[]): string {
  return rows.reduce((digest, row) => digest.add(row), new TextDigest()).value
}

test('a token needs to create items only', async (t) => {
  const { run, file, slugs } = await world(t, [{ mode: 'allow', action: 'create', resourceType: 'item' }])
  t.is((await run(['items', 'import', await file('r.csv', 'slug\na\n'), ...into])).code, 0)
  t.deepEqual(await slugs(), ['a'])
  const missing = await run(['items', 'import', await file('s.ndjson', '{}\n'), '--list', 'nothing'])
  t.true([6, 7].includes(missing.code), missing.stderr)
})

test('a terminal shows how much of the file has been read, in one line', async (t) => {
  const { run, file } = await world(t)
  const path = await file('r.ndjson', '{"slug":"a"}\n{"slug":"b"}\n')
  const { stderr } = await run(['items', 'import', path, ...into, '--batch', '1'], { isTTY: true })
  const lines = stderr.split('\r\u001b[K').map((line) => line.replace(/[\d,]+ rows\/s/, 'n rows/s'))
  const full = `[${'#'.repeat(20)}] 100 %`
  t.deepEqual(lines, ['', `${full} · 1 row · n rows/s`, `${full} · 2 rows · n rows/s`, ''])
})

test('a server that is busy is waited for', async (t) => {
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

const wrong: [args: string[], told: RegExp][] = [
  [['import', '-', ...into, '--batch', '0'], /--batch must be a number from 1 to 1000/],
  [['import', '-', ...into, '--resume'], /--resume needs a file/],
  [['import', '-', ...into, '--map', 'a=/b'], /--map is for columns of a CSV file/],
  [['import', '-', ...into, '--format', 'csv', '--map', 'b=/b'], /there is no column "b"/],
  [['import', '-', ...into, '--format', 'csv', '--map', 'a=b'], /"b" is not a JSON Pointer/],
  [['import', '-', ...into, '--format', 'csv', '--map', 'a='], /all columns are left out/],
  [['import', '-', ...into, '--format', 'json'], /-: line 1, column 1: an array begins with "\["\./],
  [['import', 'nothing.csv', ...into], /nothing\.csv/],
  [['import', '-', ...into, '--rejects', '-'], /--rejects must be another file/],
  [['export', ...into, '--fields', '/a'], /--fields names the columns of CSV/],
  [['export', ...into, '--format', 'csv', '--whole'], /--whole is for NDJSON/],
  [['export', ...into, '--format', 'csv', '--fields', 'a'], /"a" is neither a JSON Pointer/],
  [['export', ...into, '--filter', 'x'], /"x" is no filter/],
  [['export', ...into, '--filter', 'limit=5'], /"limit" is no filter of items/],
]

test('what cannot be done is told in a sentence, and nothing is done', async (t) => {
  const { run, slugs } = await world(t)
  for (const [args, told] of wrong) {
    const { code, stdout, stderr } = await run(['items', ...args], { input: 'a\n1\n' })
    t.deepEqual([code, stdout], [1, ''], args.join(' '))
    t.regex(stderr, told, args.join(' '))
  }
  t.deepEqual(await slugs(), [])
})
