import type { FlowDefinition, FlowVersion } from '#shared/domain/flow/fields.ts'
import { keptFlowVersions } from '#shared/domain/limits.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row, Transaction } from '../database.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'

/** Stores the document of a flow as its version, and deletes versions beyond the number that is kept. */
export async function insertVersion(tx: Transaction, flow: FlowDefinition): Promise<void> {
  await insertRows(tx, versionRows([flow]))
  await tx.run(sql`delete from flow_versions
    where flow_id = ${flow.id} and version <= ${flow.version - keptFlowVersions}`)
}

const versionRows = rowMapper<FlowDefinition>('flow_versions', {
  flow_id: ({ id }) => id,
  version: ({ version }) => version,
  created_at: ({ updatedAt }) => updatedAt,
  document: ({ document }) => document,
  tests: ({ tests }) => tests,
})

/** The versions that are kept of a flow, newest first, without their documents. The caller has found the flow in its account. */
export async function readVersions(
  db: Queries,
  { flowId }: { flowId: string },
): Promise<Pick<FlowVersion, 'version' | 'createdAt'>[]> {
  const rows = await db.all(sql`select version, created_at from flow_versions
    where flow_id = ${flowId} order by version desc limit ${keptFlowVersions}`)
  return rows.map(numberAndTime)
}

/** One kept version, with its document. */
export async function findVersion(
  db: Queries,
  { flowId, version }: { flowId: string; version: number },
): Promise<FlowVersion | null> {
  const row = await db.get(sql`select version, created_at, document, tests from flow_versions
    where flow_id = ${flowId} and version = ${version}`)
  return row ? { ...numberAndTime(row), document: toText(row.document), tests: toTextOrNull(row.tests) } : null
}

const numberAndTime = (row: Row) => ({ version: toNumber(row.version), createdAt: toNumber(row.created_at) })
