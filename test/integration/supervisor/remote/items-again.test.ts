import { link, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createClient } from '#client/src/client.ts'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { importIdOf } from '#shared/domain/item-transfer/batches.ts'
import { TextDigest } from '#shared/domain/text/digest.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { commandsWith } from '../../../support/processes/command-line.ts'
import { testFolder } from '../../../support/test-context/folder.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

// Imports that run twice: repeated, or interrupted and continued.

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
})

/** A list without an alias, so that only the import itself prevents that a row is created twice. */
async function world(t: ExecutionContext, rules?: PermissionRule[]) {
  const url = `http://127.0.0.1:${gateway.port}`
  const { token, user } = await makeAccount(gateway.deps.db)
  const variables = async () => ({ LISTD_URL: url, LISTD_TOKEN: (await token(rules))['x-api-token'] ?? '' })
  const folder = await testFolder(t)
  const client = createClient({ url, session: (user.authorization ?? '').slice('Bearer '.length) })
  const schema = { properties: { n: { type: 'number' } } }
  const createList = () => client.lists.create({ name: 'Numbers', schema })
  const { id } = await createList()
  const run = commandsWith(await variables())
  const path = (name: string) => join(folder, name)
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(path(name), text)
    return path(name)
  }
  const numbers = async (list = 'numbers') =>
    (await client.list(list).items({ order: 'createdAt', direction: 'asc' }).toArray(1_000)).map(({ data }) => data.n)
  const importing = (...args: string[]) => run(['items', 'import', ...args, '--list', 'numbers'])
  return { run, client, id, url, createList, variables, path, file, numbers, importing }
}

const reported = (stdout: string) => JSON.parse(stdout)

test('a file that is imported again creates nothing, and the report counts existing items', async (t) => {
  const { importing, file, numbers } = await world(t)
  const path = await file('a.ndjson', '{"n":1}\n{"n":"x"}\n{"n":2}\n')
  await importing(path)
  const again = await importing(path, '--json')
  t.like(reported(again.stdout), { rows: 3, created: 0, existing: 2, refused: 1 })
  t.regex(again.stderr, /listd: Created 0 items; 2 items were already there; 1 row was rejected: see /)
  t.deepEqual(await numbers(), [1, 2])
})

test('equal rows of another file, of a rewritten file, and of a stream are new rows', async (t) => {
  const { importing, run, file, numbers } = await world(t)
  const text = '{"n":1}\n'
  const first = await file('a.ndjson', text)
  t.is((await importing(first)).stdout, 'Created 1 item.\n')
  t.is((await importing(await file('b.ndjson', text))).stdout, 'Created 1 item.\n')
  await utimes(first, 1_000, 1_000)
  t.is((await importing(first)).stdout, 'Created 1 item.\n')
  const piped = () => run(['items', 'import', '-', '--list', 'numbers'], { input: text })
  t.deepEqual([(await piped()).stdout, (await piped()).stdout], ['Created 1 item.\n', 'Created 1 item.\n'])
  t.is((await numbers()).length, 5)
})

test('--source identifies streams or files, and a link is its file', async (t) => {
  const { importing, run, file, path, numbers } = await world(t)
  const piped = () => run(['items', 'import', '-', '--list', 'numbers', '--source', 'monday'], { input: '{"n":1}\n' })
  t.is((await piped()).stdout, 'Created 1 item.\n')
  t.is((await piped()).stdout, 'Created 0 items; 1 item was already there.\n')
  const whole = await file('a.ndjson', '{"n":2}\n')
  await symlink(whole, path('link.ndjson'))
  await importing(whole)
  t.is((await importing(path('link.ndjson'))).stdout, 'Created 0 items; 1 item was already there.\n')
  t.deepEqual(await numbers(), [1, 2])
})

const rows = Array.from({ length: 10 }, (_, n) => `{"n":${n === 3 || n === 7 ? `"${n}"` : n}}`)

/** A list with an import of ten rows in batches of two, two of which are rejected, that was interrupted in its second batch. */
async function cutOff(t: ExecutionContext, rules?: PermissionRule[]) {
  const imported = await world(t, rules)
  const { file, url, id, importing, client } = imported
  const path = await file('r.ndjson', rows.join('\n'))
  const progress = `${path}.numbers.import.json`
  const importId = importIdOf(id, ['file', 'r.ndjson'])
  await client.list('numbers').batch([
    { op: 'create', data: { n: 0 } },
    { op: 'create', data: { n: 1 } },
  ])
  const saved = {
    format: 2,
    importId,
    url,
    list: 'numbers',
    listId: id,
    token: null as null | { id: string; name: string },
    reading: { format: 'ndjson', columns: [], empty: 'omit', isGuarded: false },
    batch: 2,
    rejects: null as string | null,
    rejectsBytes: 0,
    state: {
      row: 2,
      digest: digestBehind(2),
      created: 2,
      existing: 0,
      refused: 0,
      leftOut: [4],
      sending: { row: 4, digest: digestBehind(4) },
    },
  }
  const save = (changes: Partial<typeof saved> = {}) => writeFile(progress, JSON.stringify({ ...saved, ...changes }))
  await save()
  return {
    ...imported,
    path,
    progress,
    saved,
    save,
    resume: (...args: string[]) => importing(path, '--resume', ...args),
  }
}

function digestBehind(row: number): string {
  return rows.slice(0, row).reduce((digest, text) => digest.add(text), new TextDigest()).value
}

test('an interrupted import continues, and creates and rejects every row once', async (t) => {
  const { importing, resume, path, progress, numbers } = await cutOff(t)
  const unasked = await importing(path)
  t.is(unasked.code, 1)
  t.regex(
    unasked.stderr,
    /was interrupted after row 2: add --resume to continue, or delete .*r\.ndjson\.numbers\.import\.json/,
  )
  const resumed = await resume('--json')
  t.like(reported(resumed.stdout), { rows: 10, created: 8, existing: 0, refused: 2, exitCode: 9 })
  t.deepEqual(await numbers(), [0, 1, 2, 4, 5, 6, 8, 9])
  const rejected = await readFile(`${path}.rejected.ndjson`, 'utf8')
  t.deepEqual(
    [...rejected.matchAll(/^#import_error row (\d+)/gm)].map(([, row]) => Number(row)),
    [4, 8],
  )
  await t.throwsAsync(readFile(progress), { code: 'ENOENT' })
  const none = await resume()
  t.is(none.code, 1)
  t.regex(none.stderr, /no interrupted import of .*r\.ndjson into "numbers"/)
})

test('an import does not continue in another list that now has the same name', async (t) => {
  const { resume, client, createList, numbers, id } = await cutOff(t)
  await client.lists.delete('numbers')
  await createList()
  const { code, stderr } = await resume()
  t.is(code, 1)
  t.regex(stderr, new RegExp(`the list "numbers" is not the list of the import, which had the id ${id}`))
  t.deepEqual(await numbers(), [])
})

test('a token that may not view the list does not continue in another one either', async (t) => {
  const { resume, client, createList, numbers, id } = await cutOff(t, [
    { mode: 'allow', action: 'create', resourceType: 'item' },
  ])
  await client.lists.delete('numbers')
  await createList()
  const { code, stderr } = await resume()
  t.is(code, 6)
  t.regex(
    stderr,
    new RegExp(`The list "numbers" \\(${id}\\) no longer exists, .*\\. The import stopped after row 2: 2 created\\.`),
  )
  t.deepEqual(await numbers(), [])
})

test('a token that may not view the list learns its id from the first response', async (t) => {
  const rules: PermissionRule[] = [{ mode: 'allow', action: 'create', resourceType: 'item' }]
  const { importing, file, path, id } = await world(t, rules)
  const broken = await importing(await file('a.csv', 'n\n1\n2\n"'), '--batch', '1', '--map', 'n=/n:number')
  t.is(broken.code, 1)
  t.regex(
    broken.stderr,
    /a\.csv: line 4, column 1: a quote is opened here and never closed\. The import stopped after row 1: 1 created\. Import it with --resume/,
  )
  t.like(JSON.parse(await readFile(path('a.csv.numbers.import.json'), 'utf8')), { listId: id })
})

test('progress of another import is rejected by name', async (t) => {
  const { resume, save, saved, path, numbers } = await cutOff(t)
  const { reading, state } = saved
  const other: [changes: Partial<typeof saved>, args: string[], says: RegExp][] = [
    [{ url: 'http://x' }, [], /was into http:\/\/x: set LISTD_URL/],
    [
      { token: { id: 't', name: 'nightly' } },
      [],
      /started with the API token "nightly" \(t\), and only that token can find out/,
    ],
    [{}, ['--batch', '3'], /the import used --batch 2/],
    [{}, ['--rejects', 'x'], /the import used no --rejects/],
    [{}, ['--format', 'json'], /used another --format/],
    [{ reading: { ...reading, empty: 'null' } }, ['--empty', 'omit'], /used another --empty/],
    [{ state: { ...state, digest: 'x' } }, [], /r\.ndjson: the first 2 rows are not those that were imported/],
    [
      { state: { ...state, sending: { row: 4, digest: 'x' } } },
      [],
      /the first 4 rows are not those that were imported/,
    ],
    [{ rejectsBytes: 7 }, [], /rejected\.ndjson no longer exists/],
    [{ format: 1 }, [], /does not contain the progress of an import/],
  ]
  for (const [changes, args, says] of other) {
    await save(changes)
    const { code, stderr } = await resume(...args)
    t.is(code, 1, stderr)
    t.regex(stderr, says)
  }
  await save()
  await truncate(path, 5)
  t.regex((await resume()).stderr, /the first 2 rows are not those that were imported/)
  t.deepEqual(await numbers(), [0, 1])
})

test('with another token an import continues if the server has rejected its last batch', async (t) => {
  const { resume, save, saved, numbers } = await cutOff(t)
  await save({ token: { id: 't', name: 'nightly' }, state: { ...saved.state, sending: null } as never })
  t.is((await resume()).code, 9)
  t.is((await numbers()).length, 8)
})

test('an import of CSV continues with its earlier columns', async (t) => {
  const { importing, file, path, client, numbers } = await world(t)
  const csv = 'n,m\n1,1\n2,2\n3,3\n'
  const source = await file('a.csv', `${csv}"`)
  await importing(source, '--batch', '2', '--map', 'm=/k')
  await client.lists.update('numbers', { schema: { properties: { n: { type: 'string' } } } })
  await writeFile(source, csv)
  t.regex((await importing(source, '--resume', '--map', 'm=/l')).stderr, /used another --map m; omit the option/)
  await writeFile(source, csv.replace('n,m', 'n,o'))
  t.regex((await importing(source, '--resume')).stderr, /the columns of the file differ/)
  await writeFile(source, csv)
  const end = await importing(source, '--resume', '--json')
  t.like(reported(end.stdout), { rows: 3, created: 2, refused: 1 })
  t.deepEqual(await numbers(), [1, 2])
  t.regex(await readFile(path('a.csv.rejected.csv'), 'utf8'), /^import_error,n,m\n.*,3,3\n$/)
})

test('a file of rejected rows must differ from the source, under any name', async (t) => {
  const { importing, file, path } = await world(t)
  const source = await file('a.ndjson', '{"n":"x"}\n')
  await symlink(source, path('soft'))
  await link(source, path('hard'))
  for (const rejects of [source, path('soft'), path('hard')]) {
    const { code, stderr } = await importing(source, '--rejects', rejects)
    t.is(code, 1)
    t.regex(stderr, /--rejects must name a file other than/)
  }
  t.is(await readFile(source, 'utf8'), '{"n":"x"}\n')
})

test('a clean run removes the file of rejected rows of an earlier run', async (t) => {
  const { importing, file, path } = await world(t)
  const rejects = path('a.ndjson.rejected.ndjson')
  await importing(await file('a.ndjson', '{"n":"x"}\n'))
  await t.notThrowsAsync(readFile(rejects))
  await importing(await file('a.ndjson', '{"n":1}\n'), '--dry-run')
  await t.notThrowsAsync(readFile(rejects))
  await importing(path('a.ndjson'))
  await t.throwsAsync(readFile(rejects), { code: 'ENOENT' })
  await rm(path('a.ndjson'))
})
