import type { Queries, Query, Row } from '#shared/data/database.ts'
import { renderQuery } from '#shared/data/sql/render.ts'

/** The query plan of a statement on SQLite, one line per step. */
export type Plan = { text: string; steps: string[] }

/** The same database, and the plan of every statement that it runs. */
export function watchPlans(db: Queries): { db: Queries; plans: Plan[] } {
  const plans: Plan[] = []
  async function watch(query: Query, bindings?: readonly unknown[]): Promise<void> {
    const { text, bindings: values } = renderQuery(db.dialect, query, bindings)
    const rows = await db.all<{ detail: string }>(`explain query plan ${text}`, values)
    plans.push({ text, steps: rows.map(({ detail }) => detail) })
  }
  const watching: Queries = {
    dialect: db.dialect,
    async all<R = Row>(query: Query, bindings?: readonly unknown[]) {
      await watch(query, bindings)
      return db.all<R>(query, bindings)
    },
    async get<R = Row>(query: Query, bindings?: readonly unknown[]) {
      await watch(query, bindings)
      return db.get<R>(query, bindings)
    },
    run: db.run,
  }
  return { db: watching, plans }
}

/** Steps that scan a whole table or index, or sort. */
export function slowSteps({ steps }: Plan): string[] {
  return steps.filter((step) =>
    /TEMP B-TREE|AUTOMATIC|^SCAN (?!p( LEFT-JOIN)?$|f$|m$|counted$|found$|\(subquery|\d|json_each|s$|CONSTANT ROW$)/.test(
      step,
    ),
  )
}
