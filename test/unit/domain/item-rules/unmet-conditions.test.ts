import test from 'ava'
import type { Grant } from '#shared/domain/access/permissions.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { RuledList } from '#shared/domain/item-rules/bound-rules.ts'
import { readRuleIndexes } from '#shared/domain/item-rules/rule-indexes.ts'
import { unmetConditions } from '#shared/domain/item-rules/unmet-conditions.ts'
import { indexFields, type ListIndex } from '#shared/domain/list/index-fields.ts'

const listId = '01900000-0000-7000-8000-000000000001'
const list: RuledList = {
  id: listId,
  indexes: ['status', 'author'].map(
    (pathName) =>
      ({
        ...initialValues(indexFields),
        id: pathName,
        valuesId: pathName,
        listId,
        pathName,
        pointer: `/${pathName}`,
        filtering: true,
      }) as ListIndex,
  ),
}
const data = JSON.stringify({ status: 'draft', author: 'ada' })
const item = { ...initialValues(itemFields), id: 'x', listId, data, tags: ['red'], identity: null } as unknown as Item
const ada: Grant = { permissions: { rules: [] }, identity: { id: 'ada', groupName: null } }

/** The conditions that are not true, each with its result. */
function unmet(where: Record<string, unknown>, caller: Grant = ada) {
  const rule = { mode: 'allow', action: 'view', resourceType: 'item', listIds: [listId], where } as const
  const { indexes } = readRuleIndexes([{ ...rule, listIds: [listId] }], () => list.indexes, 'rules')
  return unmetConditions(caller, { list, item }, { where, indexes }).map(({ condition, is }) => [condition, is])
}

test('a condition that is not true is named, and no true one is', (t) => {
  t.deepEqual(unmet({ status: 'eq:draft', author: 'eq:$identity.id', tagged: 'red' }), [])
  t.deepEqual(unmet({ status: 'eq:published', author: 'eq:$identity.id' }), [[{ status: 'eq:published' }, 'false']])
  t.deepEqual(unmet({ status: ['eq:draft', 'starts:p'] }), [[{ status: 'starts:p' }, 'false']])
})

test('a missing value of the caller makes its condition unknown, even after not', (t) => {
  const nobody: Grant = { ...ada, identity: null }
  t.deepEqual(unmet({ author: 'eq:$identity.id' }, nobody), [[{ author: 'eq:$identity.id' }, 'unknown']])
  const not = { not: { author: 'eq:$identity.id' } }
  t.deepEqual(unmet(not, nobody), [[not, 'unknown']])
  t.deepEqual(unmet(not), [[not, 'false']])
})

test('if no branch of or is true, all are named; of and, those that are not true', (t) => {
  t.deepEqual(unmet({ or: [{ status: 'eq:published' }, { author: 'eq:$identity.id' }] }), [])
  t.deepEqual(unmet({ or: [{ status: 'eq:published' }, { tagged: 'blue' }] }), [
    [{ status: 'eq:published' }, 'false'],
    [{ tagged: 'blue' }, 'false'],
  ])
  t.deepEqual(unmet({ and: [{ status: 'eq:draft' }, { or: [{ tagged: 'blue' }, { author: 'eq:bob' }] }] }), [
    [{ tagged: 'blue' }, 'false'],
    [{ author: 'eq:bob' }, 'false'],
  ])
})

test('a changed index makes its conditions unknown', (t) => {
  t.deepEqual(unmetConditions(ada, { list, item }, { where: { status: 'eq:draft' }, indexes: [] }), [
    { condition: { status: 'eq:draft' }, is: 'unknown' },
  ])
})
