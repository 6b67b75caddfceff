import test from 'ava'
import { groupTable } from '#shared/data/identities/identity-groups.ts'
import { itemTable } from '#shared/data/items/columns.ts'
import { indexTable, listTable } from '#shared/data/lists/columns.ts'
import { type Columns, insertRows, rowMapper } from '#shared/data/sql/insert-rows.ts'
import { tokenTable } from '#shared/data/tokens/columns.ts'
import { heldFields, queueFields, webhookTable } from '#shared/data/webhooks/columns.ts'
import { insertWebhook, readWebhooks } from '#shared/data/webhooks/webhooks.ts'
import type { Field, Fields } from '#shared/domain/fields/field.ts'
import { groupFields } from '#shared/domain/identity/group-fields.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import { listFields } from '#shared/domain/list/fields.ts'
import { indexFields } from '#shared/domain/list/index-fields.ts'
import { tokenFields } from '#shared/domain/token/fields.ts'
import { type Webhook, webhookFields } from '#shared/domain/webhook/fields.ts'
import { testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { columnsOf } from '../../../support/databases/schemas/tables.ts'

type Declared = {
  name: string
  fields: Fields
  table: { allColumns: Columns<never>; fromRow(row: Record<string, unknown>): unknown }
  /** Columns without a field, each with a function that returns a value. */
  extras?: Columns<never>
}

const declared: readonly Declared[] = [
  { name: 'lists', fields: listFields, table: listTable, extras: { data_bytes: () => 0 } },
  { name: 'indexes', fields: indexFields, table: indexTable },
  { name: 'items', fields: itemFields, table: itemTable, extras: { data: () => 'null', identity_id: () => null } },
  { name: 'identity_groups', fields: groupFields, table: groupTable },
  {
    name: 'tokens',
    fields: tokenFields,
    table: tokenTable,
    extras: { token_hash: testId, conditional_rules: () => null },
  },
]

for (const { name, fields, table, extras } of declared) {
  test(`the fields, derived keys and named extras of ${name} are the columns of the table`, async (t) => {
    const { db } = await testDatabase(t)
    t.deepEqual(Object.keys({ ...table.allColumns, ...extras }).sort(), await columnsOf(db, name))
  })

  test(`a row of ${name} can store the longest value of every field, and null where allowed`, async (t) => {
    const { db } = await testDatabase(t)
    const written = [resourceOf(fields, true), resourceOf(fields, false)]
    const rows = rowMapper(name, { ...table.allColumns, ...extras })
    await db.transaction((tx) => insertRows(tx, rows(written as never)))
    const found = await db.all(`select * from ${name} order by id`)
    t.deepEqual(found.map(table.fromRow), written)
  })
}

test('the fields of a webhook are the columns of its row and of its queue, plus its held events', async (t) => {
  const { db } = await testDatabase(t)
  const queue = queueFields.map((name) => webhookTable.columns[name])
  const unknown = new Set(queue).difference(new Set(await columnsOf(db, 'webhook_queues')))
  t.deepEqual([...unknown], [])
  const others = [...queue, ...heldFields.map((name) => webhookTable.columns[name])]
  const own = Object.values(webhookTable.columns).filter((column) => !others.includes(column))
  const extras = ['active_epoch', 'secret', 'previous_secret', 'previous_secret_until', 'headers', 'filters']
  t.deepEqual([...own, ...extras].sort(), await columnsOf(db, 'webhooks'))
})

test('the row of a webhook can store the longest value of every field, and null where allowed', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = testId()
  const idle = {
    failureCount: 0,
    waitingCount: 0,
    heldCount: 0,
    heldIsAtLeast: false,
    oldestHeldAt: null,
    missedCount: 0,
    lastDeliveryAt: null,
    where: {},
    accountId,
  }
  const written = [true, false].map((longest) => ({ ...resourceOf(webhookFields, longest), ...idle }) as Webhook)
  await db.transaction(async (tx) => {
    for (const webhook of written) await insertWebhook(tx, webhook, { sealedSecret: 'sealed', epoch: 1 })
  })
  const found = new Map((await readWebhooks(db, accountId)).map((webhook) => [webhook.id, webhook]))
  t.deepEqual(
    written.map(({ id }) => found.get(id)),
    written,
  )
})

/** A resource whose fields have their longest values, or their shortest; ids ascend. */
function resourceOf(fields: Fields, longest: boolean): { id: string } {
  const values = Object.entries(fields).map(([name, field]) => [name, sampleOf(field, longest)])
  return { ...Object.fromEntries(values), id: testId() }
}

function sampleOf(field: Field, longest: boolean): unknown {
  if (field.nullable && !longest) return null
  switch (field.kind) {
    case 'flag':
      return longest
    case 'integer':
      return longest ? (field.max ?? Number.MAX_SAFE_INTEGER) : (field.min ?? 0)
    case 'time':
      return longest ? Date.UTC(9999, 11, 31) : 0
    case 'text':
      return '😀'.repeat(longest ? field.max : (field.min ?? 0))
    case 'choice':
      return field.of.toSorted((one, other) => one.length - other.length).at(longest ? -1 : 0)
    case 'list':
      return longest ? ['a"b', '😀'] : []
    case 'json':
      return longest ? '{"b":1.0,"1":12345678901234567890}' : '{}'
    case 'rules':
      return longest ? [{ mode: 'allow', action: '*', listIds: ['*'] }] : []
  }
}
