import type { Fields } from '#shared/domain/fields/field.ts'
import { fieldOf } from '#shared/domain/fields/values.ts'
import type { NameOf } from '../sql/table.ts'
import type { Direction } from './page.ts'

/** An order of pages. */
export type Order = {
  /** The SQL of the key. */
  key: string
  isText: boolean
  /** The direction when a request names none. */
  direction: Direction
  /** Absent: every row has a value. */
  optional?: Optional
}

/**
 * The conditions that a row has a value, where an index has the order as a range of the key, and that it has none, so that its
 * key is null or empty text. Rows without a value come last in both directions (contract 1.3).
 */
type Optional = { present: string; missing: string }

/** The orders of a resource, the default first: times and flags are descending by default, others ascending (contract 1.3). */
export function ordersOf<F extends Fields, Name extends NameOf<F>>(
  fields: F,
  keys: Readonly<Record<Name, string | { key: string; optional: Optional }>>,
): Readonly<Record<Name, Order>> {
  const orders = (Object.keys(keys) as Name[]).map((name): [Name, Order] => {
    const { kind } = fieldOf(fields, name)
    const key = keys[name]
    const direction = kind === 'time' || kind === 'flag' ? 'desc' : 'asc'
    const isText = kind === 'text' || kind === 'choice'
    return [name, { ...(typeof key === 'string' ? { key } : key), isText, direction }]
  })
  return Object.fromEntries(orders) as Record<Name, Order>
}
