import type { Database, Queries, Row, Transaction, Write } from '../database.ts'
import type { ColumnValue, Sql, ValuesColumns } from '../dialect.ts'
import { insertOf, insertRows, insertWhere, type Rows, rowsOf } from '../sql/insert-rows.ts'
import { lockRows, lockSeveral } from '../sql/lock-rows.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { forShareSkippingLocked, forUpdate, inList, locksRows, updateFrom, valuesTable } from '../sql/statements.ts'

/**
 * A part of a commit, as a value. It states what has to be true, not in how many statements it is written: a single statement
 * verifies this by its conditions, a transaction also by reading first.
 */
export type Step =
  | { insert: Rows /** The end of the statement, as for rows whose key exists. */; end?: Sql }
  | { remove: Removal }
  | { update: Update }
  /** Rows that are only read, and have to keep their revision until the commit: a row that is being changed does not keep it. */
  | { unchanged: Revisions }
  /** Rows that are locked for what follows, by their ids. */
  | { lock: { table: string; ids: readonly string[] } }
  /** A select that finds a row as long as the change is allowed. `lock`: the row that is locked before it. */
  | { holds: Sql; lock?: { table: string; id: string } }
  | { insertFound: Finding }
  /** Statements that read what earlier ones have written: where rows are locked, only a transaction can do that. */
  | { run: readonly Sql[] }

/** Rows by their ids, each of which has to have this revision. */
type Revisions = { table: string; rows: readonly { id: string; revision: number }[] }

/** Rows to delete, with the rows of other tables that belong to them. */
type Removal = Revisions & {
  /** The columns of other tables that contain the ids. */
  parts: readonly { table: string; column: string }[]
}

/** An update of rows by their ids, each of which has to be found. */
type Update = {
  table: string
  /** The columns of `rows`; the first is the id. */
  columns: ValuesColumns
  rows: readonly (readonly [id: string, ...ColumnValue[]])[]
  /** @param row the values of a row by their columns, or the columns of the values table where one statement updates many rows */
  set(row: RowInput): Record<string, Sql>
  where(row: RowInput): Sql
}

type RowInput = Readonly<Record<string, ColumnValue | Sql>>

/** Rows to insert for each row that a select finds. */
type Finding = {
  /** The column that identifies a row, and its values in the rows that may be found. */
  key: string
  keys: readonly string[]
  /** The columns that are read of each row. */
  columns: Readonly<Record<string, Sql>>
  /** `from … where …`, which locks what it finds. */
  source: Sql
  /** @param rowOf returns the row found for a key: its values, or within one statement the columns */
  rows(rowOf: (key: string) => RowInput | undefined): Rows<string, ColumnValue | Sql>[]
}

/** Thrown when something that had to be true is not; nothing was written. */
export class Outdated extends Error {
  override readonly name = 'Outdated'
}

/**
 * Commits steps all or nothing, in their order, which is the order of locks. They become one statement where the database can and
 * they fit, or else a transaction. As one statement a create takes 0.7 of the CPU.
 * @param options.subjects how many things are changed
 * @returns the keys that an `insertFound` has found
 * @throws Outdated; a unique violation
 */
export async function applyWrites(
  db: Database,
  steps: readonly Step[],
  { subjects }: { subjects: number },
): Promise<string[]> {
  if (!db.atomicBatch || !fitsOneStatement(db, steps, subjects)) return db.transaction((tx) => runSteps(tx, steps))
  const found = await db.atomicBatch(steps.flatMap(writesOf))
  if (found === null) throw new Outdated()
  return found > 0 ? steps.flatMap((step) => ('insertFound' in step ? step.insertFound.keys : [])) : []
}

/**
 * Each sequence of statements stays prepared, and a sequence more than are kept costs several times what it saves. So only changes
 * of a few similar things with few rows are written this way.
 */
const [maxRows, maxRowsOfSeveral, maxSubjects] = [8, 2, 3]

/**
 * Where rows are locked, a single statement sees the state from before it waited for a row. So it must not remove rows there: it
 * would leave the parts that another transaction has added meanwhile. On Postgres a transaction of several changes takes no more
 * CPU.
 */
function fitsOneStatement(db: Queries, steps: readonly Step[], subjects: number): boolean {
  if (subjects > (locksRows(db) ? 1 : maxSubjects)) return false
  const most = subjects === 1 ? maxRows : maxRowsOfSeveral
  return steps.every((step) => {
    if ('holds' in step || 'unchanged' in step || 'lock' in step) return false
    // Without row locks, the statements run one after the other, and each sees what earlier ones wrote.
    if ('run' in step) return !locksRows(db)
    if ('remove' in step) return !locksRows(db) && step.remove.rows.length === subjects
    if ('insertFound' in step) return step.insertFound.keys.length === 1
    if ('update' in step || step.end) return true
    const rows = rowsOf(step.insert) / subjects
    return Number.isInteger(rows) && rows <= most
  })
}

/** The parts of one statement. */
function writesOf(step: Step): Write[] {
  if ('insert' in step) return rowsOf(step.insert) > 0 ? [{ statement: insertOf(step.insert, step.end) }] : []
  if ('remove' in step) return step.remove.rows.flatMap((row) => removalOf(step.remove, row))
  if ('update' in step) return step.update.rows.map((row) => ({ statement: updateOf(step.update, row), rows: 1 }))
  if ('run' in step) return step.run.map((statement) => ({ statement }))
  if (!('insertFound' in step)) throw new TypeError('One statement reads nothing.')
  const { columns, source, rows } = step.insertFound
  const inserts = rows(() => columns).flatMap((found) => insertWhere(found, source))
  return inserts.map((statement, n) => ({ statement, counted: n === 0 }))
}

function removalOf({ table, parts }: Removal, { id, revision }: Removal['rows'][number]): Write[] {
  return [
    { statement: sql`delete from ${raw(table)} where id = ${id} and revision = ${revision}`, rows: 1 },
    ...parts.map((part) => ({ statement: sql`delete from ${raw(part.table)} where ${raw(part.column)} = ${id}` })),
  ]
}

function updateOf({ table, columns, set, where }: Update, row: readonly ColumnValue[]): Sql {
  const input = Object.fromEntries(Object.keys(columns).map((name, n) => [name, row[n] ?? null]))
  const parts = Object.entries(set(input)).map(([column, value]) => sql`${raw(column)} = ${value}`)
  return sql`update ${raw(table)} set ${joinSql(parts, ', ')} where ${where(input)}`
}

/** Runs the steps in a transaction, with few statements for any number of rows. */
async function runSteps(tx: Transaction, steps: readonly Step[]): Promise<string[]> {
  for (const step of steps) {
    if ('remove' in step) await lockRevisions(tx, step.remove, forUpdate)
    // Locked rows are skipped, because waiting here could deadlock: only transactions that change rows lock them in the order of
    // their ids.
    if ('unchanged' in step) await lockRevisions(tx, step.unchanged, forShareSkippingLocked)
  }
  const found = await tx.pipeline(steps.map((step) => () => runStep(tx, step)))
  const inserts = found.flatMap((rows, n) => insertsFor(steps[n], rows ?? []))
  await tx.pipeline(inserts.map((rows) => () => insertRows(tx, rows)))
  return found.flatMap((rows, n) => foundKeys(steps[n], rows ?? []))
}

/** @returns what a select has found */
async function runStep(tx: Transaction, step: Step): Promise<Row[] | undefined> {
  if ('insert' in step) return void (await insertRows(tx, step.insert, step.end))
  if ('remove' in step) return void (await remove(tx, step.remove))
  if ('update' in step) return void (await update(tx, step.update))
  if ('holds' in step) return void (await assertHolds(tx, step))
  if ('lock' in step) return void (await lockRows(tx, step.lock.table, step.lock.ids))
  if ('unchanged' in step) return undefined
  if ('run' in step) return void (await tx.pipeline(step.run.map((statement) => () => tx.run(statement))))
  const { columns, source } = step.insertFound
  const selected = Object.entries(columns).map(([name, value]) => sql`${value} as ${raw(name)}`)
  return tx.all(sql`select ${joinSql(selected, ', ')} ${source}`)
}

async function assertHolds(tx: Transaction, { holds, lock }: Extract<Step, { holds: Sql }>): Promise<void> {
  const locked = () => (lock ? lockRows(tx, lock.table, [lock.id]) : Promise.resolve())
  const [, found] = await tx.pipeline([locked, () => tx.all(holds)])
  assertTrue(found.length > 0)
}

/** The rows to insert for the rows that a select has found. */
function insertsFor(step: Step | undefined, found: readonly Row[]): Rows[] {
  if (!step || !('insertFound' in step)) return []
  const byKey = new Map(foundKeys(step, found).map((key, n) => [key, found[n] as RowInput]))
  return step.insertFound.rows((key) => byKey.get(key)) as Rows[] // what was read are values
}

function foundKeys(step: Step | undefined, found: readonly Row[]): string[] {
  return step && 'insertFound' in step ? found.map((row) => String(row[step.insertFound.key])) : []
}

/** @throws Outdated when one of the rows is gone or has another revision */
async function lockRevisions(tx: Transaction, { table, rows }: Revisions, lock: Sql): Promise<void> {
  const ids = inList(
    'id',
    rows.map(({ id }) => id),
  )
  const locked = await tx.all<{ id: string; revision: number }>(
    sql`select id, revision from ${raw(table)} where ${ids} order by id ${lock}`,
  )
  const revisions = new Map(locked.map(({ id, revision }) => [id, revision]))
  assertTrue(rows.every(({ id, revision }) => revisions.get(id) === revision))
}

async function remove(tx: Transaction, { table, rows, parts }: Removal): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const all = [{ table, column: 'id' }, ...parts]
  await tx.pipeline(all.map((of) => () => tx.run(sql`delete from ${raw(of.table)} where ${inList(of.column, ids)}`)))
}

async function update(tx: Transaction, { table, columns, rows, set, where }: Update): Promise<void> {
  const input = Object.fromEntries(Object.keys(columns).map((name) => [name, raw(`input.${name}`)]))
  const statement = updateFrom({ table, set: set(input), from: valuesTable(columns, rows), where: where(input) })
  const ids = [...new Set(rows.map(([id]) => id))]
  const [, updated] = await tx.pipeline([() => lockSeveral(tx, table, ids), () => tx.run(statement)])
  assertTrue(updated === rows.length)
}

function assertTrue(condition: boolean): void {
  if (!condition) throw new Outdated()
}
