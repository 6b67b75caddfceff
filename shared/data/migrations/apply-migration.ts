import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { nextSize, paces, restAfter } from '../background/pace.ts'
import type { MigrationQueries, Queries, Transaction } from '../database.ts'
import { SchemaError } from '../schema-error.ts'
import { deleteSetting, findSetting, putSetting } from '../settings/settings.ts'
import { locksRows } from '../sql/statements.ts'
import type { Migration } from './migration.ts'

/** Rows that a step has moved so far in this run. */
export type MoveProgress = { version: number; rows: number }

export type MigrationContext = {
  alone: MigrationQueries
  /** Called behind every batch; the next one waits for it. */
  onProgress(progress: MoveProgress): unknown
  /** Moves what a batch committed to its final place: see `Database.checkpoint`. */
  checkpoint(): Promise<void>
}

/**
 * Applies a step that may have been begun by a process that died, or that another one applies at the same time: every
 * transaction looks where the step is.
 * @throws SchemaError that says what is left of the step, and how to go on
 */
export async function applyMigration(context: MigrationContext, migration: Migration): Promise<void> {
  const { build, dialect } = context.alone
  const step: Step = { ...migration, statements: migration.up(build, dialect.types), moves: migration.moves ?? [] }
  const changed = dialect.transactionalSchema ? changeAtOnce(context, step) : changeOneByOne(context, step)
  await changed.catch(failed(step, dialect.transactionalSchema ? 'nothing' : 'statements'))
  for (const position of step.moves.keys()) await moveAll(context, step, position).catch(failed(step, 'batches'))
}

/** Its parts are the statements and then the moves; the setting `migrationStep` counts those that are done. */
type Step = Required<Omit<Migration, 'up'>> & { statements: readonly Knex.Sql[] }

const leftovers = {
  nothing: ({ version }: Step) => `Nothing of it is left: the schema is at version ${version - 1}.`,
  statements: () => 'The next run goes on behind the last of its statements that succeeded.',
  batches: () => 'The next run goes on behind the last rows that it has moved.',
}

function failed(step: Step, left: keyof typeof leftovers): (error: unknown) => never {
  return (error) => {
    const reason = describeError(error).replace(/\.$/, '')
    const sentence = `Step ${step.version} of the upgrade of the database schema failed: ${reason}.`
    const next = 'Remove the cause, then run "listd migrate" again.'
    throw new SchemaError(`${sentence} ${leftovers[left](step)} ${next}`)
  }
}

/** All statements in one transaction, which ends the step when nothing is to be moved. */
function changeAtOnce({ alone }: MigrationContext, step: Step): Promise<void> {
  return alone.transaction(async (tx) => {
    // A step without statements has no part that is done before its first move has ended.
    if ((await partsDone(tx, step)) > 0 || (await findSetting(tx, 'migrationCursor')) !== null) return
    for (const { sql, bindings } of step.statements) await tx.run(sql, bindings)
    await putSetting(tx, 'compatibleFrom', String(step.compatibleFrom))
    await recordParts(tx, step, step.statements.length)
  })
}

/**
 * Records after each statement how far the step got, so that another process continues after one that was killed. A schema
 * change commits before its record does: if the process dies in between, the statement is tried again and fails as already
 * done. Services that do not run on the result are rejected from before the first statement on.
 */
async function changeOneByOne({ alone }: MigrationContext, step: Step): Promise<void> {
  const done = await partsDone(alone, step)
  if (done === 0) await putSetting(alone, 'compatibleFrom', String(step.compatibleFrom))
  for (const [position, { sql, bindings }] of step.statements.entries()) {
    if (position < done) continue
    await alone.transaction(async (tx) => {
      await tx.run(sql, bindings).catch((error) => {
        if (!alone.dialect.isSchemaChangeDone(error)) throw error
      })
      await recordParts(tx, step, position + 1)
    })
  }
}

const batchRows = { first: 20, least: 10, most: 1_000 }

/** Does one of the step's moves, from where it was left. */
async function moveAll({ alone, onProgress, checkpoint }: MigrationContext, step: Step, position: number) {
  // Whether services write meanwhile is not known here.
  const pace = locksRows(alone) ? paces.server : paces.shared
  let rows = 0
  for (let limit = batchRows.first; ; ) {
    const batch = await alone.transaction((tx) => moveBatch(tx, step, { position, limit }))
    if (batch === null) return
    rows += batch.rows
    if (batch.rows > 0) await onProgress({ version: step.version, rows })
    if (batch.after === null) return
    await checkpoint() // otherwise the writer of a service would have to, for many batches at once
    await pause(restAfter(batch.heldMs, 0, pace))
    limit = nextSize(limit, batch, { pace, bounds: batchRows })
  }
}

/** @returns null when the move is done already */
async function moveBatch(tx: Transaction, step: Step, { position, limit }: { position: number; limit: number }) {
  const startedAt = performance.now()
  const part = step.statements.length + position
  if ((await partsDone(tx, step)) > part) return null
  const moved = await step.moves[position]?.(tx, { after: await findSetting(tx, 'migrationCursor'), limit })
  if (!moved) return null
  if (moved.after !== null) await putSetting(tx, 'migrationCursor', moved.after)
  else await recordParts(tx, step, part + 1)
  return { ...moved, heldMs: performance.now() - startedAt }
}

async function partsDone(db: Queries, { version }: Step): Promise<number> {
  if (Number((await findSetting(db, 'version')) ?? 0) >= version) return Number.POSITIVE_INFINITY
  return Number((await findSetting(db, 'migrationStep')) ?? 0)
}

/** Notes that so many parts of the step are done; behind the last one the schema has its version. */
async function recordParts(tx: Transaction, { version, statements, moves }: Step, done: number): Promise<void> {
  const isWhole = done === statements.length + moves.length
  await deleteSetting(tx, 'migrationCursor')
  await putSetting(tx, 'migrationStep', String(isWhole ? 0 : done))
  if (isWhole) await putSetting(tx, 'version', String(version))
}
