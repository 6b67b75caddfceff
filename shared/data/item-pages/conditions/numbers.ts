import type { Leaf } from '#shared/domain/item/questions/question.ts'
import type { Sql } from '../../dialect.ts'
import { joinSql, raw, sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'
import { type Condition, existsIn, type TimeRange } from './condition.ts'

const columns = { createdAt: 'created_at', updatedAt: 'updated_at', size: 'size' } as const

/** Items whose number in a column is in a set. Times are ranges of the indexes that pages in order of these times use. */
export function withNumber(listId: string, { field, set }: Extract<Leaf, { kind: 'number' }>): Condition {
  const column = columns[field]
  const predicate: Condition['predicate'] = (id) => existsIn('items e', 'e.id', id, isIn(`e.${column}`, set))
  const found = { predicate, candidates: null }
  if (column === 'size' || set.kind === 'any-of') return { ...found, indexRanges: null }
  const prefixes = [sql`list_id = ${listId} and ${isIn(`x.${column}`, set)}`]
  const times: TimeRange = { column, min: set.min, max: set.max }
  return { ...found, indexRanges: { table: 'items', id: 'id', prefixes }, times }
}

function isIn(column: string, set: Extract<Leaf, { kind: 'number' }>['set']): Sql {
  if (set.kind === 'any-of') return inList(column, set.numbers)
  const bounds = [
    ...(set.min === null ? [] : [sql`${raw(column)} >= ${set.min}`]),
    ...(set.max === null ? [] : [sql`${raw(column)} <= ${set.max}`]),
  ]
  return joinSql(bounds, ' and ')
}
