import type { FlowDefinition } from '#shared/domain/flow/fields.ts'
import type { Use } from '#shared/domain/use/use.ts'
import type { Queries, Transaction } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { insertRows } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { forUpdate } from '../sql/statements.ts'
import { assignments } from '../sql/table.ts'
import { changedFlowColumns, endpointHash, flowNameKey, flowRows, flowTable, selectedFlow } from './columns.ts'
import { removeUses, replaceUses } from './flow-uses.ts'
import { insertVersion } from './flow-versions.ts'

/** A flow, with the account that it must belong to. */
export type FlowKey = { accountId: string; flowId: string }

/** The flow of an account by id, or by name ignoring case; an id takes precedence over a name that looks like one. */
export async function findFlow(
  db: Queries,
  { accountId, ref }: { accountId: string; ref: string },
): Promise<FlowDefinition | null> {
  const rows = await db.all(sql`select ${selectedFlow} from flows
    where account_id = ${accountId} and (id = ${ref} or name_key = ${flowNameKey(ref)})`)
  const row = rows.find(({ id }) => id === ref) ?? rows[0]
  return row ? flowTable.fromRow(row) : null
}

export function findFlowById(db: Queries, { accountId, flowId }: FlowKey): Promise<FlowDefinition | null> {
  return findOne(db, sql`id = ${flowId} and account_id = ${accountId}`)
}

export function findFlowByName(
  db: Queries,
  { accountId, name }: { accountId: string; name: string },
): Promise<FlowDefinition | null> {
  return findOne(db, sql`account_id = ${accountId} and name_key = ${flowNameKey(name)}`)
}

/** The flow that a request to this path starts, activated or not. @param endpoint.path without regard to case */
export function findFlowByEndpoint(
  db: Queries,
  { accountId, ...endpoint }: { accountId: string; method: string; path: string },
): Promise<FlowDefinition | null> {
  return findOne(db, sql`account_id = ${accountId} and endpoint_hash = ${endpointHash(endpoint)}`)
}

/** A public flow of any account, activated or not. */
export function findPublicFlow(db: Queries, flowId: string): Promise<FlowDefinition | null> {
  return findOne(db, sql`id = ${flowId} and public = 1`)
}

/** Whether the account has this flow. */
export async function hasFlow(db: Queries, { accountId, flowId }: FlowKey): Promise<boolean> {
  return (await db.get(sql`select id from flows where id = ${flowId} and account_id = ${accountId}`)) !== undefined
}

async function findOne(db: Queries, condition: Sql): Promise<FlowDefinition | null> {
  const row = await db.get(sql`select ${selectedFlow} from flows where ${condition}`)
  return row ? flowTable.fromRow(row) : null
}

/** Locks a flow for the rest of the transaction, so that others that change or delete it wait. */
export async function lockFlow(tx: Transaction, key: FlowKey): Promise<FlowDefinition | null> {
  await tx.all(sql`select id from flows where id = ${key.flowId} and account_id = ${key.accountId} ${forUpdate}`)
  // Read by a second statement, which sees a change that the first one waited for.
  return findFlowById(tx, key)
}

/**
 * Inserts a flow, its first version, and what its document uses.
 * @throws a unique violation when a flow of the account has its name, or its method and path
 */
export async function insertFlow(tx: Transaction, flow: FlowDefinition, uses: readonly Use[]): Promise<void> {
  await insertRows(tx, flowRows([flow]))
  await insertVersion(tx, flow)
  await replaceUses(tx, { flowId: flow.id, accountId: flow.accountId, uses })
}

/**
 * Writes a flow that the caller has locked. If its version has changed, its document is also stored as that version.
 * @param uses the uses of its document; null: the document is unchanged
 * @throws a unique violation as `insertFlow` does
 */
export async function writeFlow(
  tx: Transaction,
  { before, after, uses }: { before: FlowDefinition; after: FlowDefinition; uses: readonly Use[] | null },
): Promise<void> {
  await tx.run(sql`update flows set ${assignments(changedFlowColumns, after)}
    where id = ${after.id} and account_id = ${after.accountId}`)
  if (after.version !== before.version) await insertVersion(tx, after)
  if (uses) await replaceUses(tx, { flowId: after.id, accountId: after.accountId, uses })
}

/** Removes a flow with its versions, and notes that its runs are to be deleted (`flow-purge.ts`). The caller has locked it. */
export async function removeFlow(tx: Transaction, { accountId, flowId }: FlowKey, now: number): Promise<void> {
  await tx.run(sql`delete from flow_versions where flow_id = ${flowId}`)
  await removeUses(tx, flowId)
  await tx.run(sql`insert into flow_purges (flow_id, deleted_at) values (${flowId}, ${now})`)
  await tx.run(sql`delete from flows where id = ${flowId} and account_id = ${accountId}`)
}
