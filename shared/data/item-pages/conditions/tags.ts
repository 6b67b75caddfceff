import { raw, sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'
import { type Condition, existsIn, prefixesOf } from './condition.ts'

/** Items with at least one of these tags. */
export function taggedWith(listId: string, anyOf: readonly string[]): Condition {
  // No tag contains U+0000, and Postgres rejects it as a parameter.
  const tags = anyOf.filter((tag) => !tag.includes('\u0000'))
  const has = (id: string, any: readonly string[]) => existsIn('item_tags t', 't.item_id', id, inList('t.tag', any))
  const hasEarlier = (n: number) => (n === 0 ? raw('') : sql` and not ${has('x.item_id', tags.slice(0, n))}`)
  const ofTag = (tag: string) => sql`list_id = ${listId} and tag = ${tag}`
  const least = sql`f.tag = (select min(t.tag) from item_tags t where t.item_id = f.id and ${inList('t.tag', tags)})`
  return {
    predicate: (id) => has(id, tags),
    candidates: sql`select item_id as id from item_tags where list_id = ${listId} and ${inList('tag', tags)}`,
    indexRanges: { ...ofTags, prefixes: prefixesOf(tags, (tag, n) => sql`${ofTag(tag)}${hasEarlier(n)}`) },
    byCreation: {
      ...ofTags,
      prefixes: prefixesOf(tags, ofTag),
      ...(tags.length > 1 && { distinct: { column: 'tag', counts: least } }),
    },
  }
}

const ofTags = { table: 'item_tags', id: 'item_id' } as const
