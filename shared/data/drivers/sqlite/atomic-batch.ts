import type { AtomicBatch, Queries, Write } from '../../database.ts'
import { hasCode } from '../../database-errors.ts'
import { sqliteDialect } from '../../sql/dialects/sqlite.ts'
import { keepingLast } from '../../sql/sql.ts'
import type { Connection } from './connection.ts'

/**
 * The number of statement sequences that a connection keeps, some 0.1 to 0.3 MB each. A new one replaces the oldest, and preparing it costs
 * several times what it saves.
 */
const maxKept = 128

/**
 * For a statement, the round trip to its thread costs more than the execution. So the connection keeps a trigger for each sequence of
 * statements on a temporary view, whose columns are their values: inserting a row runs the sequence.
 * @param within the same connection, with its time limit
 */
export function createAtomicBatch(connection: Connection, within: Queries): AtomicBatch {
  const views = new Map<string, { name: string; insert: string }>()
  let created = 0

  async function createView(
    sequence: string,
    { values, counted }: { values: number; counted: boolean },
  ): Promise<{ name: string; insert: string }> {
    const [oldest] = views
    if (oldest && views.size >= maxKept) {
      const [key, { name }] = oldest
      await connection.exec(`drop view ${name}`)
      views.delete(key)
    }
    if (created === 0) await connection.exec(countTable)
    const name = `batch_${created++}`
    await connection.exec(viewText(name, sequence, values))
    const view = { name, insert: insertText(name, values) + (counted ? counting : '') }
    views.set(sequence, view)
    return view
  }

  return async (writes) => {
    const rendered = writes.map(({ statement }) => statement(sqliteDialect))
    const bindings = rendered.flatMap((one, n) => [...one.bindings, ...checkedBy(writes[n])])
    const sequence = sequenceText(rendered.flatMap(({ text }, n) => [text, checkText(writes[n])]))
    const { insert } =
      views.get(sequence) ??
      (await createView(sequence, { values: bindings.length, counted: writes.some((write) => write.counted) }))
    try {
      const [answer] = await within.all<{ changed: number }>(insert, bindings)
      return answer?.changed ?? 0
    } catch (error) {
      if (isOtherRowCount(error)) return null
      throw error
    }
  }
}

const counting = ' returning (select changed from batch_count) as changed'
const otherRowCount = 'other row count'

const countTable = 'create temp table batch_count (changed int); insert into batch_count values (0)'

/** The steps of a trigger: each statement, and its check. */
const sequenceText = keepingLast((pieces) => pieces.join(''))

function checkText({ rows, counted }: Partial<Write> = {}): string {
  const check = rows === undefined ? '' : `select raise(abort, '${otherRowCount}') where changes() <> ?;\n`
  const count = counted ? 'update batch_count set changed = changes();\n' : ''
  return `;\n${check}${count}`
}

/** The values of a check. */
function checkedBy({ rows }: Partial<Write> = {}): number[] {
  return rows === undefined ? [] : [rows]
}

function viewText(view: string, sequence: string, values: number): string {
  const columns = Array.from({ length: values }, (_, n) => `null as v${n}`)
  let position = 0
  const steps = sequence.replaceAll('?', () => `new.v${position++}`)
  return `create temp view ${view} as select ${columns.join(', ')};
create temp trigger ${view}_inserted instead of insert on ${view} begin\n${steps}end`
}

function insertText(view: string, values: number): string {
  const marks = Array(values).fill('?').join(', ')
  return `insert into ${view} values (${marks})`
}

function isOtherRowCount(error: unknown): boolean {
  return hasCode(error, ['SQLITE_CONSTRAINT']) && String((error as Error).message).endsWith(otherRowCount)
}
