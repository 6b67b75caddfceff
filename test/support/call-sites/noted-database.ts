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

/** Notes the place that is being run, if it is one of the product: a test may send statements itself. */
function note(): void {
  const [, ...frames] = (new Error('here').stack ?? '').split('\n')
  const site = place.exec(frames.find((frame) => !between.test(frame)) ?? '')?.[1]
  if (site) sites.add(site)
}

/** What stands between the place and the database. */
const between = /test\/support\/call-sites\/|\/shared\/data\/(engine\/|database\.ts)|[ (]node:|<anonymous>/
/** Not whoever awaits it. */
const place = /^ +at (?!async ).*\/((?:shared|services)\/[^:]+:\d+):/
