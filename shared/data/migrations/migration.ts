import type { Knex } from 'knex'
import type { Transaction } from '../database.ts'
import type { ColumnTypes } from '../dialect.ts'

/**
 * A step of the schema, forward only. `compatibleFrom` is the oldest schema version whose code still runs on the result:
 * processes of an older build keep running during a rolling update, and are rejected only when they are older than that.
 */
export type Migration = {
  version: number
  compatibleFrom: number
  /** Statements that each change the schema, or change all rows of a small table in a way that must happen only once. */
  up(build: Knex, types: ColumnTypes): readonly Knex.Sql[]
  /** What is then done to existing rows, one after the other. */
  moves?: readonly Move[]
}

/**
 * Moves data of existing rows, such as into a new column. A batch is a transaction of its own, which also keeps where it
 * ended, so that none is done twice and services write between two. Services of the version before write at the same time, also
 * behind the place it has reached: what they write lacks the new column, unless `compatibleFrom` keeps them off.
 */
export type Move = (tx: Transaction, batch: Batch) => Promise<Moved>

/** `after`: where the batch before ended, null in the first one; `limit`: the most rows to take. */
export type Batch = { after: string | null; limit: number }

/** `after`: where the next batch begins; null when nothing is left. */
export type Moved = { rows: number; after: string | null }
