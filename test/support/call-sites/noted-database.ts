import { appendFileSync } from 'node:fs'
import { getCallSites } from 'node:util'
import type { AtomicBatch, Database, MigrationQueries, Queries, Query, Transaction } from '#shared/data/database.ts'
import type { DatabaseOptions } from '#shared/data/open-database.ts'
import * as actual from '#shared/data/open-database.ts'
import { renderQuery } from '#shared/data/sql/render.ts'

/** Opens a database, and records the call sites that send statements to it. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const db = await actual.openDatabase(options)
  return {
    ...notedExclusive(db),
    atomicBatch: db.atomicBatch && notedBatch(db, db.atomicBatch),
    long: notedQueries(db.long),
    withMigrationLock: (work) => db.withMigrationLock((alone) => work(notedExclusive(alone))),
    withSnapshot: (work) => db.withSnapshot((snapshot) => work(notedQueries(snapshot))),
  }
}

function notedExclusive<Q extends MigrationQueries>(queries: Q): Q {
  return {
    ...notedQueries(queries),
    transaction(work) {
      note()
      return queries.transaction((tx: Transaction) => work(notedQueries(tx)))
    },
  }
}

function notedQueries<Q extends Queries>(queries: Q): Q {
  return {
    ...queries,
    all(query, bindings) {
      note()
      noteText(queries, query)
      return queries.all(query, bindings)
    },
    get(query, bindings) {
      note()
      noteText(queries, query)
      return queries.get(query, bindings)
    },
    run(query, bindings) {
      note()
      noteText(queries, query)
      return queries.run(query, bindings)
    },
  }
}

function notedBatch(db: Queries, atomicBatch: AtomicBatch): AtomicBatch {
  return (writes) => {
    note()
    for (const { statement } of writes) noteText(db, statement)
    return atomicBatch(writes)
  }
}

const sites = new Set<string>()
const texts = new Set<string>()
const { TEST_CALL_SITES: sitesFile = '/dev/null', TEST_VALUES_TABLE_TEXTS: textsFile = '/dev/null' } = process.env
process.on('exit', () => {
  appendFileSync(sitesFile, `${[...sites].join('\n')}\n`)
  appendFileSync(textsFile, [...texts].map((text) => `${JSON.stringify(text)}\n`).join(''))
})

/** Records the current call site if it belongs to the product: tests also send statements themselves. */
function note(): void {
  const frame = getCallSites(maxFrames).find(({ scriptName }) => !between.test(scriptName))
  const place = frame && callSite.exec(frame.scriptName)?.[1]
  if (place) sites.add(`${place}:${frame.lineNumber}`)
}

/** More than the frames of drivers and helpers below a call site. */
const maxFrames = 24

/** Frames between the call site and the database. */
const between = /^$|test\/support\/call-sites\/|\/shared\/data\/(sql\/|drivers\/|open-database\.ts)|^node:/
const callSite = /\/((?:shared|services)\/.+)$/

/** Records a statement of SQLite that has a values table (see `join-order.ts`). */
function noteText({ dialect }: Queries, query: Query): void {
  if (dialect.name !== 'sqlite' || typeof query !== 'function') return
  const { text } = renderQuery(dialect, query)
  if (text.includes(' as input')) texts.add(text)
}
