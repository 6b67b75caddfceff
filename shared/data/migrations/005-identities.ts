import type { Knex } from 'knex'
import { caseFold } from '#shared/domain/text/case-fold.ts'
import { toText } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { ColumnTypes } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import { updateFrom, valuesTable } from '../sql/statements.ts'
import type { Batch, Moved } from './migration.ts'
import { extendTables } from './tables.ts'

/**
 * The orders of pages of identities and of their groups, each with an index. A group is never renamed, so each of its
 * identities has the key of its name; '' is the ungrouped space. And the sessions that a group's earlier settings have ended.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  const columns = extendTables(build, types, {
    identity_groups(t) {
      t.text('name_key', 100).notNullable().defaultTo('')
      t.int('ended_created_at').notNullable().defaultTo(0)
      t.int('ended_last_used_at').notNullable().defaultTo(0)
    },
    identities(t) {
      t.text('display_name_key', 600).notNullable().defaultTo('')
      t.text('group_key', 100).notNullable().defaultTo('')
    },
  })
  const indexes = extendTables(build, types, {
    identity_groups(t) {
      for (const name of ['created_at', 'updated_at', 'name_key']) t.index(['account_id', name, 'id'])
    },
    identities(t) {
      for (const name of indexed) t.index(['account_id', name, 'id'])
    },
  })
  return [...columns, ...groupKeys(build), ...indexes]
}

const indexed = ['updated_at', 'name_key', 'display_name_key', 'group_key', 'last_login_at', 'activated'] as const

/** Names of groups are ASCII, which every database lower-cases alike. */
function groupKeys(build: Knex): Knex.Sql[] {
  return [
    build.raw('update identity_groups set name_key = lower(name)'),
    build.raw(`update identities set group_key = coalesce(
      (select lower(g.name) from identity_groups g where g.id = identities.group_id), '')`),
  ].map((query) => query.toSQL())
}

/** Fills the keys of display names, which only our code can case-fold. */
export async function fillIdentityKeys(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const rows = await tx.all(
    sql`select id, display_name from identities where id > ${after ?? ''} order by id limit ${limit}`,
  )
  const last = rows.at(-1)
  if (!last) return { rows: 0, after: null }
  const keys = rows.map((row) => [toText(row.id), caseFold(toText(row.display_name))])
  await tx.run(
    updateFrom({
      table: 'identities',
      set: { display_name_key: raw('input.display_name_key') },
      from: valuesTable({ id: 'text', display_name_key: 'text' }, keys),
      where: raw('identities.id = input.id'),
    }),
  )
  return { rows: rows.length, after: toText(last.id) }
}
