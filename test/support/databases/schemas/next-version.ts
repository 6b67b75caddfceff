import { listTables } from '#shared/data/copy/tables.ts'
import type { Migration, Move } from '#shared/data/migrations/migration.ts'
import { migrations } from '#shared/data/migrations/migrations.ts'
import { createTables, extendTables, type Tables } from '#shared/data/migrations/tables.ts'
import { sql } from '#shared/data/sql/sql.ts'
import { inList } from '#shared/data/sql/statements.ts'

const { version: last, compatibleFrom } = migrations.at(-1) ?? { version: 0, compatibleFrom: 0 }
export const nextVersion = last + 1

/**
 * The steps of this version, and one of an invented next version on which this one must run: it adds columns and an index to
 * every table and a new table, and then increments `next_moves` of every item.
 */
export async function nextSteps(move: Move = countMoves) {
  const tables = await listTables()
  const extensions = tables.map(({ name, key }) => [name, extensionOf(name, key[0] ?? '')] as const)
  const next: Migration = {
    version: nextVersion,
    compatibleFrom,
    up: (build, types) => [
      ...extendTables(build, types, Object.fromEntries(extensions)),
      ...createTables(build, types, newTables),
    ],
    moves: [move],
  }
  return [...migrations, next]
}

/** The same with a step for each table, which locks only that table until it ends, as a real version must: for running services. */
export async function nextStepsByTable(): Promise<Migration[]> {
  const steps = (await listTables()).map(
    ({ name, key }, n): Migration => ({
      version: nextVersion + n,
      compatibleFrom,
      up: (build, types) => extendTables(build, types, { [name]: extensionOf(name, key[0] ?? '') }),
    }),
  )
  const last: Migration = {
    version: nextVersion + steps.length,
    compatibleFrom,
    moves: [countMoves],
    up: (build, types) => createTables(build, types, newTables),
  }
  return [...migrations, ...steps, last]
}

type Extension = Parameters<typeof extendTables>[2][string]

function extensionOf(name: string, key: string): Extension {
  return (t) => {
    t.text('next_text', 20)
    t.int('next_moves').notNullable().defaultTo(0)
    t.index([key, 'next_moves'], { name: `next_${name}` })
  }
}

const newTables: Tables = {
  next_things(t) {
    t.text('id', 36).primary()
    t.longText('body').notNullable()
  },
}

/** Reveals a row that was moved twice. */
export const countMoves: Move = async (tx, { after, limit }) => {
  const rows = await tx.all<{ id: string }>(
    sql`select id from items where id > ${after ?? ''} order by id limit ${limit}`,
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return { rows: 0, after: null }
  await tx.run(sql`update items set next_moves = next_moves + 1 where ${inList('id', ids)}`)
  return { rows: ids.length, after: ids.at(-1) ?? null }
}
