import type { Write } from '../database.ts'
import type { Dialect, Rendered } from '../dialect.ts'
import { keepingLast } from '../sql/sql.ts'

/** How the text of writes that are one statement begins. */
export const atomicBatchStart = 'with write_0 as ('

/**
 * Writes as one statement, which answers the `changed` rows of the counted one, and divides by zero when a write changed another
 * number of rows than it had to. Postgres executes a part of `with` when it is read, so the writes happen in their order.
 */
export function renderAtomicBatch(dialect: Dialect, writes: readonly Write[]): Rendered {
  const rendered = writes.map(({ statement }) => statement(dialect))
  const text = batchText(rendered.flatMap((one, n) => [one.text, readText(n, writes[n])]))
  const rows = writes.flatMap((write) => (write.rows === undefined ? [] : [write.rows]))
  return { text, bindings: [...rendered.flatMap(({ bindings }) => bindings), ...rows] }
}

/** Of each write its text, and what is read of it. */
const batchText = keepingLast((pieces) => {
  const parts = pieces.filter((_, n) => n % 2 === 0).map((text, n) => `write_${n} as (${text} returning 1)`)
  return `with ${parts.join(',\n')}\nselect ${pieces.filter((_, n) => n % 2 === 1).join(', ')}`
})

function readText(n: number, { rows, counted }: Partial<Write> = {}): string {
  const count = `(select count(*) from write_${n})`
  const check = rows === undefined ? '' : `1 / (${count} = ?::int8)::int, `
  return check + count + (counted ? ' as changed' : '')
}
