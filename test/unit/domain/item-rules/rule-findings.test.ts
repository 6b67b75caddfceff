import test from 'ava'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { rulesNaming, unknownRules } from '#shared/domain/item-rules/rule-findings.ts'
import { indexFields, type ListIndex } from '#shared/domain/list/index-fields.ts'

const list = '01900000-0000-7000-8000-00000000000a'
const status = {
  ...initialValues(indexFields),
  id: 'i',
  valuesId: 'v',
  listId: list,
  pathName: 'status',
  pointer: '/status',
  filtering: true,
} as ListIndex
const rule = (more: Partial<PermissionRule>): PermissionRule => ({
  mode: 'allow',
  action: 'update',
  resourceType: 'item',
  listIds: [list],
  ...more,
})
const permissions = [
  rule({}),
  rule({ where: { status: 'eq:x' } }),
  rule({ where: { tagged: 'in:$identity.tags' }, becomes: { status: 'eq:$identity.name' } }),
  rule({ where: { tagged: 'a', status: 'eq:$$identity.name' } }),
  rule({ changes: ['/a'] }),
]
const ruleIndexes = [{ listId: list, name: 'status', id: 'i', valueType: 'string', pointer: '/status' }]

test('rules whose index has changed are unknown', (t) => {
  const unknown = (indexes: ListIndex[] | undefined) => unknownRules({ permissions, ruleIndexes }, () => indexes)
  t.deepEqual(unknown([status]), [])
  t.deepEqual(unknown([{ ...status, pathName: 'renamed' }]), [])
  t.deepEqual(unknown(undefined), [])
  for (const changes of [{ pointer: '/x' }, { activated: false }, { filtering: false }, { guard: true }, { id: 'j' }])
    t.deepEqual(unknown([{ ...status, ...changes }]), [1, 2, 3], JSON.stringify(changes))
  t.deepEqual(unknown([{ ...status, valueType: 'date' }]), [1, 2, 3])
})

test('a rule names a value of the caller if it is an operand', (t) => {
  t.deepEqual(rulesNaming({ permissions }, '$identity.name'), [2])
  t.deepEqual(rulesNaming({ permissions }, '$identity.tags'), [2])
  t.deepEqual(rulesNaming({ permissions }, '$identity.id'), [])
})
