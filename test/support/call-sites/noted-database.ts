import { appendFileSync } from 'node:fs'
import type { Database, DatabaseOptions, Exclusive, Queries, Transaction } from '#shared/data/database.ts'
import * as actual from '#shared/data/database.ts'

/** What of that module there is at run time, beside what opens a database. */
export const { databaseFile, isMissingTable, isUniqueViolation } = actual

/** Opens a database, and notes the places from which statements are sent to it. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const db = await actual.openDatabase(options)
  return { ...notedExclusive(db), exclusively: (work) => db.exclusively((alone) => work(notedExclusive(alone))) }
}

function notedExclusive<Q extends Exclusive>(queries: Q): Q {
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
      return queries.all(query, bindings)
    },
    get(query, bindings) {
      note()
      return queries.get(query, bindings)
    },
    run(query, bindings) {
      note()
      return queries.run(query, bindings)
    },
  }
}

const sites = new Set<string>()
process.on('exit', () => appendFileSync(process.env.TEST_CALL_SITES ?? '/dev/null', `${[...sites].join('\n')}\n`))

/**
 * A place of the product, but for what runs statements for others. Whoever awaits is not meant: a test may stand between it
 * and the database.
 */
const place = /^ +at (?!async ).*\/((?:shared(?!\/data\/engine\/|\/data\/database\.ts)|services)\/[^:]+:\d+):/m

/** Notes the innermost place of the product that is being run. */
function note(): void {
  const site = place.exec(new Error('here').stack ?? '')?.[1]
  if (site) sites.add(site)
}
