import { createHash } from 'node:crypto'
import { fieldNames } from '#shared/domain/fields/values.ts'
import { endpointOf, type FlowDefinition, flowFields, flowSettingFields } from '#shared/domain/flow/fields.ts'
import { flowPathKey } from '#shared/domain/flow/language/flow.ts'
import { caseFold } from '#shared/domain/text/case-fold.ts'
import type { Sql } from '../dialect.ts'
import { ordersOf } from '../pages/orders.ts'
import { filterConditionsOf } from '../sql/filters.ts'
import { type Columns, rowMapper } from '../sql/insert-rows.ts'
import { raw } from '../sql/sql.ts'
import { tableOf } from '../sql/table.ts'

/** `last_run_at` is not a column of the table. It is read from the runs, so that a run does not write the row of its flow. */
export const flowTable = tableOf('flows', flowFields, {
  columns: {
    id: 'id',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    name: 'name',
    description: 'description',
    entry: 'entry',
    public: 'public',
    lists: 'lists',
    document: 'document',
    tests: 'tests',
    activated: 'activated',
    logged: 'logged',
    version: 'version',
    lastRunAt: 'last_run_at',
    accountId: 'account_id',
  },
  derived: { name_key: ['name', flowNameKey] },
})

const stored = fieldNames(flowFields).filter((name) => name !== 'lastRunAt')

/** The columns of flows, with the time of the last run of each. */
export const selectedFlow = selected(stored)

const settings = fieldNames(flowSettingFields)

/** The same without the documents and their tests, which are long, and the function that reads such a row. */
export const selectedFlowSettings = selected(settings.filter((name) => name !== 'lastRunAt'))
export const flowSettingsFromRow = flowTable.reader(settings)

function selected(names: readonly (keyof typeof flowTable.columns)[]): Sql {
  return raw(
    `${names.map((name) => `flows."${flowTable.columns[name]}"`).join(', ')},
  (select created_at from flow_runs where flow_runs.flow_id = flows.id order by flow_runs.id desc limit 1) as last_run_at`,
  )
}

const endpointColumn: Columns<FlowDefinition> = { endpoint_hash: (flow) => endpointHash(endpointOf(flow)) }

export const flowRows = rowMapper<FlowDefinition>('flows', { ...flowTable.columnsOf(stored), ...endpointColumn })

/** The columns that a change writes. */
export const changedFlowColumns: Columns<FlowDefinition> = {
  ...flowTable.columnsOf(stored.filter((name) => !['id', 'createdAt', 'accountId'].includes(name))),
  ...endpointColumn,
}

/** The key by which names of flows are compared. */
export function flowNameKey(name: string): string {
  return caseFold(name)
}

/** The key by which a called flow is found; null: the flow has no endpoint. */
export function endpointHash(endpoint: { method: string; path: string } | null): string | null {
  if (!endpoint) return null
  return createHash('sha256')
    .update(`${endpoint.method} ${flowPathKey(endpoint.path)}`)
    .digest('hex')
}

/** The orders of pages of flows. */
export const flowOrders = ordersOf(flowFields, {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: 'name_key',
  public: 'public',
  activated: 'activated',
  version: 'version',
})
export type FlowOrder = keyof typeof flowOrders

export const flowFilterConditions = filterConditionsOf(flowFields, {
  name: 'name_key',
  public: 'public',
  activated: 'activated',
})
