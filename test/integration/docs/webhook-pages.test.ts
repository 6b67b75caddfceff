import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { testFolder } from '../../support/test-context/folder.ts'
import { serviceRequests, standardRequests } from '../../support/webhooks/signed-requests.ts'
import { snippetLanguages } from '../../support/webhooks/verify-snippets.ts'

const docs = join(import.meta.dirname, '../../../docs')
const pageOf = (name: string) => readFileSync(join(docs, 'webhooks', name), 'utf8')
const blocksOf = (page: string) => [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, ...block]) => block)

test('README links to every page about webhooks, and to no missing one', (t) => {
  const readme = readFileSync(join(docs, '../README.md'), 'utf8')
  const linked = [...readme.matchAll(/\(docs\/webhooks\/([^)]+)\)/g)].map(([, name]) => name)
  t.deepEqual([...new Set(linked)].toSorted(), readdirSync(join(docs, 'webhooks')).toSorted())
})

test('the page about signatures has two functions in each language', (t) => {
  const languages = blocksOf(pageOf('verify.md')).map(([language]) => language)
  t.deepEqual(
    languages,
    Object.keys(snippetLanguages).flatMap((language) => [language, language]),
  )
})

for (const [language, { program, judge }] of Object.entries(snippetLanguages)) {
  const isThere = program === null || spawnSync(program[0], [program[1]]).status === 0
  const runs = isThere ? test : test.skip
  const why = isThere ? '' : ` (left out: ${program[0]} is not installed)`
  runs(`the functions in ${language} accept what listd signs, and nothing else${why}`, async (t) => {
    const blocks = blocksOf(pageOf('verify.md')).filter(([of]) => of === language)
    for (const [n, requests] of [standardRequests(), serviceRequests()].entries()) {
      const folder = await testFolder(t)
      const judged = await judge(folder, blocks[n]?.[1] ?? '', requests)
      t.deepEqual(
        requests.map(({ claim }, at) => [claim, judged[at]]),
        requests.map(({ claim, isFromListd }) => [claim, isFromListd]),
      )
      t.false((await readdir(folder)).includes('hacked'))
    }
  })
}

const changes = [
  { id: 'e1', type: 'item.created', data: 'one' },
  { id: 'e2', type: 'item.updated', data: 'two' },
  { id: 'e3', type: 'item.deleted', data: 'two' },
  { id: 'e4', type: 'item.restored', data: 'one' },
].map((change, n) => eventOf({ ...change, n }))

type Change = { id: string; type: string; data: string; activated?: boolean; wasActivated?: boolean; n: number }

function eventOf({ id, type, data, activated = true, wasActivated = true, n }: Change) {
  const previous = type === 'item.updated' ? { previous: { id: 'i', data: 'before', activated: wasActivated } } : {}
  return { id, type, createdAt: new Date(n).toISOString(), data: { item: { id: 'i', data, activated }, ...previous } }
}

/** An item that is a draft at first, and one again in the end. */
const drafts = [
  { id: 'e1', type: 'item.created', data: 'one', activated: false },
  { id: 'e2', type: 'item.updated', data: 'two', activated: false, wasActivated: false },
  { id: 'e3', type: 'item.updated', data: 'two', wasActivated: false },
  { id: 'e4', type: 'item.updated', data: 'two', activated: false },
].map((change, n) => eventOf({ ...change, n }))

test('the copy on the page about duplicates ends up correct, in whatever order events arrive, each of them twice', async (t) => {
  const { openCopy, handle } = await importCopy(t)
  for (const count of [1, 2, 3, 4]) {
    const last = changes[count - 1]
    for (const order of ordersOf(changes.slice(0, count))) {
      const db = openCopy(':memory:')
      for (const event of [...order, ...order.toReversed()]) handle(db, event)
      const data = last?.type === 'item.deleted' ? null : JSON.stringify(last?.data.item.data)
      t.deepEqual(allOf(db, 'select data from copies'), [{ data }])
      t.deepEqual(allOf(db, 'select event_id from mails'), [{ event_id: 'e1' }])
      db.close()
    }
  }
})

test('a draft is absent from this copy, whenever its events arrive, and is added when it is activated', async (t) => {
  const { openCopy, handle } = await importCopy(t)
  for (const count of [1, 2, 3, 4]) {
    for (const order of ordersOf(drafts.slice(0, count))) {
      const db = openCopy(':memory:')
      for (const event of [...order, ...order.toReversed()]) handle(db, event)
      t.deepEqual(allOf(db, 'select data from copies'), [{ data: count === 3 ? '"two"' : null }])
      t.deepEqual(allOf(db, 'select event_id from mails'), count < 3 ? [] : [{ event_id: 'e3' }])
      db.close()
    }
  }
})

test('an event that this copy could not handle leaves nothing, and is handled when it arrives again', async (t) => {
  const { openCopy, handle } = await importCopy(t)
  const db = openCopy(':memory:')
  db.exec("create trigger full before insert on mails begin select raise(abort, 'disk full'); end")
  t.throws(() => handle(db, changes[0] ?? {}), { message: /disk full/ })
  for (const table of ['handled', 'copies', 'mails']) t.deepEqual(allOf(db, `select * from ${table}`), [], table)
  db.exec('drop trigger full')
  handle(db, changes[0] ?? {})
  for (const table of ['handled', 'copies', 'mails']) t.is(allOf(db, `select * from ${table}`).length, 1, table)
})

type Copy = { openCopy(path: string): DatabaseSync; handle(db: DatabaseSync, event: object): void }

async function importCopy(t: ExecutionContext): Promise<Copy> {
  const file = join(await testFolder(t), 'copy.mjs')
  await writeFile(file, blocksOf(pageOf('duplicates-and-order.md'))[0]?.[1] ?? '')
  return import(pathToFileURL(file).href)
}

/** As plain objects. */
const allOf = (db: DatabaseSync, sql: string) =>
  db
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }))

function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]]
  return all.flatMap((first, n) => ordersOf(all.toSpliced(n, 1)).map((rest) => [first, ...rest]))
}
