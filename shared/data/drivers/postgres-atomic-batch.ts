import type { Write } from '../database.ts'
import type { Dialect, Rendered } from '../dialect.ts'
import { keepingLast } from '../sql/sql.ts'

/** The beginning of the text of several writes in one statement. */
export const atomicBatchStart = 'with write_0 as ('

/**
 * Renders writes as one statement, which returns the `changed` rows of the counted write, and divides by zero if a write changed the wrong
 * number of rows. Postgres executes a part of `with` when it is read, so the writes are executed in their order.
 */
export function renderAtomicBatch(dialect: Dialect, writes: readonly Write[]): Rendered {
  const rendered = writes.map(({ statement }) => statement(dialect))
  const text = batchText(rendered.flatMap((one, n) => [one.text, readText(n, writes[n])]))
  const rows = writes.flatMap((write) => (write.rows === undefined ? [] : [write.rows]))
  return { text, bindings: [...rendered.flatMap(({ bindings }) => bindings), ...rows] }
}

/** The text of each write, and what is read from it. */
const batchText = keepingLast((pieces) => {
  const parts = pieces.filter((_, n) => n % 2 === 0).map((text, n) => `write_${n} as (${text} returning 1)`)
  return `with ${parts.join(',\n')}\nselect ${pieces.filter((_, n) => n % 2 === 1).join(', ')}`
})

function readText(n: number, { rows, counted }: Partial<Write> = {}): string {
  const count = `(select count(*) from write_${n})`
  const check = rows === undefined ? '' : `1 / (${count} = ?::int8)::int, `
  return check + count + (counted ? ' as changed' : '')
}
