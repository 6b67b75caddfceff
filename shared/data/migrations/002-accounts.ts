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
 * Users get a name to display; API tokens the case-folded keys by which pages filter and order them. Processes of the version
 * before still create both: such a token has no keys until it is changed.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, {
    users(t) {
      t.text('display_name', 200)
    },
    tokens(t) {
      t.text('name_key', 600)
      t.longText('description_key')
      t.index(['account_id', 'created_at', 'id'])
    },
  })
}

/** A description may have 10,000 characters. */
const tokensAtOnce = 100

/** Computes the keys of the tokens that have none. */
export async function fillTokenKeys(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const tokens = await tx.all(sql`select id, name, description from tokens
    where id > ${after ?? ''} and description_key is null order by id limit ${Math.min(limit, tokensAtOnce)}`)
  const last = tokens.at(-1)
  if (!last) return { rows: 0, after: null }
  const keys = tokens.map(({ id, name, description }) => [id, caseFold(toText(name)), caseFold(toText(description))])
  await tx.run(
    updateFrom({
      table: 'tokens',
      set: { name_key: raw('input.name_key'), description_key: raw('input.description_key') },
      from: valuesTable({ id: 'text', name_key: 'text', description_key: 'longText' }, keys),
      where: raw('tokens.id = input.id'),
    }),
  )
  return { rows: tokens.length, after: toText(last.id) }
}
