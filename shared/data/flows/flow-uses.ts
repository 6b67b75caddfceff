import { mostDependents } from '#shared/domain/limits.ts'
import { type Dependent, type Use, useKey } from '#shared/domain/use/use.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries, Row, Transaction } from '../database.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { valuesTable } from '../sql/statements.ts'

/** What a flow uses of its account, stored next to its document, so that a change reads no documents. */
export type FlowUses = { flowId: string; accountId: string; uses: readonly Use[] }

/** Replaces the stored uses of a flow. The caller has locked or inserted the flow. */
export async function replaceUses(tx: Transaction, { flowId, accountId, uses }: FlowUses): Promise<void> {
  await removeUses(tx, flowId)
  await insertRows(tx, useRows(uses.map((use) => ({ use, flowId, accountId }))))
}

export async function removeUses(tx: Transaction, flowId: string): Promise<void> {
  await tx.run(sql`delete from flow_uses where flow_id = ${flowId}`)
}

const useRows = rowMapper<{ use: Use; flowId: string; accountId: string }>('flow_uses', {
  account_id: ({ accountId }) => accountId,
  list_key: ({ use }) => use.list,
  kind: ({ use }) => use.kind,
  name: ({ use }) => use.name,
  flow_id: ({ flowId }) => flowId,
})

/**
 * The flows that depend on any of these uses, by `useKey`, with one statement: a range of the primary key for each use.
 * @returns `isCut`: the maximum was read, and there may be more dependents
 */
export async function findDependentFlows(
  db: Queries,
  { accountId, uses }: { accountId: string; uses: readonly Use[] },
  most = mostDependents,
): Promise<{ byUse: Map<string, Dependent[]>; isCut: boolean }> {
  const input = valuesTable(
    { n: 'int', list_key: 'text', kind: 'text', name: 'text' },
    uses.map(({ list, kind, name }, n) => [n, list, kind, name]),
  )
  const rows = await db.all(sql`select input.n, flows.id, flows.name from ${input}
    cross join flow_uses u cross join flows
    where u.account_id = ${accountId} and u.list_key = input.list_key and u.kind = input.kind and u.name = input.name
      and flows.id = u.flow_id
    limit ${most + 1}`)
  const byNumber = Map.groupBy(rows.slice(0, most), ({ n }) => toNumber(n))
  const byUse = new Map(uses.map((use, n) => [useKey(use), (byNumber.get(n) ?? []).map(dependentFlow)]))
  return { byUse, isCut: rows.length > most }
}

function dependentFlow({ id, name }: Row): Dependent {
  return { kind: 'flow', id: toText(id), name: toText(name) }
}
