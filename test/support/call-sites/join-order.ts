import type { Queries } from '#shared/data/database.ts'
import { migrate } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'

/**
 * Statements that look rows up by a values table, but whose join SQLite would begin with another table, because it does not know the
 * numbers of rows: they would cost the product of the rows of both tables.
 * @returns a line for each, with its query plan
 */
export async function badJoinOrders(texts: Iterable<string>): Promise<string[]> {
  const db = await openDatabase({ url: 'sqlite::memory:', dataDir: '', readers: 0 })
  try {
    await migrate(db)
    const lines: string[] = []
    for (const text of texts) {
      const steps = await readPlan(db, text)
      if (!beginsWithValues(steps))
        lines.push(
          `does not begin with the values table: ${text}\n${steps.map(({ detail }) => `  ${detail}`).join('\n')}`,
        )
    }
    return lines
  } finally {
    await db.close()
  }
}

/** A step of a query plan and the step that contains it. */
type Step = { parent: number; detail: string }

function readPlan(db: Queries, text: string): Promise<Step[]> {
  return db.all<Step>(`explain query plan ${text}`)
}

/** Loops with the same parent are nested, in their order. */
function beginsWithValues(steps: readonly Step[]): boolean {
  const loops = Map.groupBy(
    steps.filter(({ detail }) => /^(SCAN|SEARCH) /.test(detail)),
    ({ parent }) => parent,
  )
  return [...loops.values()].every((nest) => nest.slice(1).every(({ detail }) => !/^SCAN json_each/.test(detail)))
}
