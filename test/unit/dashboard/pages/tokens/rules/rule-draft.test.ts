import test from 'ava'
import { draftOf, rulesOf } from '#services/dashboard/pages/tokens/rules/rule-draft.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { indexFields, type ListIndex } from '#shared/domain/list/index-fields.ts'

const listId = '01900000-0000-7000-8000-000000000001'
const own = {
  id: '01900000-0000-7000-8000-000000000002',
  valuesId: 'v',
  listId,
  accountId: 'a',
  createdAt: 0,
  updatedAt: 0,
}
const status = {
  ...initialValues(indexFields),
  ...own,
  name: 'status',
  pathName: 'status',
  pointer: '/status',
  filtering: true,
} as ListIndex
const indexesOf = () => [status]

const rule: PermissionRule = {
  mode: 'allow',
  action: 'update',
  resourceType: 'item',
  listIds: [listId],
  where: { or: [{ status: 'eq:draft' }, { tagged: 'in:$identity.tags' }] },
  becomes: { status: 'in:draft,submitted' },
}

test('a rule that is opened and saved stays unchanged', (t) => {
  const changes = ['/title', '', '/a\n"b"', 'tags', '/ends with a space ']
  for (const one of [
    rule,
    { ...rule, changes: ['/title'] },
    { ...rule, mode: 'block' },
    { ...rule, changes },
  ] as PermissionRule[]) {
    const { rules } = rulesOf(draftOf(one), indexesOf)
    t.deepEqual(rules, [one])
  }
})

test('conditions and fields apply to updates only if several actions are chosen', (t) => {
  const draft = {
    ...draftOf({ ...rule, changes: ['/title'] }),
    actions: ['view', 'update'] as PermissionRule['action'][],
  }
  const { rules, problem } = rulesOf(draft, indexesOf)
  t.is(problem, null)
  t.deepEqual(
    rules.map(({ action, where, becomes, changes }) => [action, where, becomes, changes]),
    [
      ['view', rule.where, undefined, undefined],
      ['update', rule.where, rule.becomes, ['/title']],
    ],
  )
})

test('a rule that the API would reject is reported in the words of the API', (t) => {
  const problemOf = (more: Partial<PermissionRule>) =>
    rulesOf(draftOf({ ...rule, changes: ['/a'], ...more }), indexesOf).problem
  t.is(problemOf({}), null)
  t.regex(problemOf({ where: { colour: 'eq:red' } }) ?? '', /^where\.colour is not an index of the list/)
  t.regex(problemOf({ where: { status: 'eq:$identity.shoe' } }) ?? '', /^where\.status must have one of \$identity\.id/)
  t.regex(problemOf({ changes: ['title'] }) ?? '', /^changes\.0 must be a JSON Pointer/)
  t.is(rulesOf({ ...draftOf(rule), actions: [] }, indexesOf).problem, 'Choose an action.')
})
