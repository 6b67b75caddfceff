import type { Queries } from '#shared/data/database.ts'
import { migrate } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'

/**
 * Statements that look rows up by given ones, and in which SQLite, which knows nothing of how many rows there are, would
 * begin with another table: what they cost would be the given rows times that table's.
 * @returns a line for each, with the steps of its plan
 */
export async function badlyOrdered(texts: Iterable<string>): Promise<string[]> {
  const db = await openDatabase({ url: 'sqlite::memory:', dataDir: '', readers: 0 })
  try {
    await migrate(db)
    const lines: string[] = []
    for (const text of texts) {
      const steps = await readPlan(db, text)
      if (!beginsWithGiven(steps))
        lines.push(`not by the given rows: ${text}\n${steps.map(({ detail }) => `  ${detail}`).join('\n')}`)
    }
    return lines
  } finally {
    await db.close()
  }
}

/** A step of a plan, and of which other step it is a part. */
type Step = { parent: number; detail: string }

function readPlan(db: Queries, text: string): Promise<Step[]> {
  return db.all<Step>(`explain query plan ${text}`)
}

/** Loops with one parent are inside each other, in their order. */
function beginsWithGiven(steps: readonly Step[]): boolean {
  const loops = Map.groupBy(
    steps.filter(({ detail }) => /^(SCAN|SEARCH) /.test(detail)),
    ({ parent }) => parent,
  )
  return [...loops.values()].every((nest) => nest.slice(1).every(({ detail }) => !/^SCAN json_each/.test(detail)))
}
