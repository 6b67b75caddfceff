import test from 'ava'
import { findDependents } from '#shared/data/dependents.ts'
import { findDependentTokens } from '#shared/data/tokens/rule-uses.ts'
import { createToken } from '#shared/data/tokens/tokens.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { useKey } from '#shared/domain/use/use.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const listId = '01890a5d-ac96-774b-bcce-b302099a8057'
const permissions: PermissionRule[] = [
  { mode: 'allow', action: 'view', resourceType: 'item', listIds: [listId], where: { status: 'eq:x' } },
]
const indexNamed = (id: string) => ({ listId, name: 'status', id, valueType: 'string', pointer: '/status' })
const use = (name: string) => ({ kind: 'rule', list: 'posts', name }) as const

test('tokens depend on the indexes that conditions of their rules name, by the ids of the indexes', async (t) => {
  const { db } = await testDatabase(t)
  const make = (id: string, indexId: string, accountId = 'a') =>
    createToken(db, { id, accountId, name: `the ${id}`, permissions, ruleIndexes: [indexNamed(indexId)], now: 0 })
  await make('one', 'i')
  await make('two', 'i')
  await make('three', 'j')
  await make('four', 'i', 'b')
  await createToken(db, { id: 'plain', accountId: 'a', name: 'plain', permissions: [], now: 0 })
  const uses = [use('i'), use('gone'), { kind: 'filter', list: 'posts', name: 'status' } as const]
  const { byUse, isCut } = await findDependents(db, { accountId: 'a', uses })
  t.deepEqual(byUse.get(useKey(use('i'))), [
    { kind: 'token', id: 'one', name: 'the one' },
    { kind: 'token', id: 'two', name: 'the two' },
  ])
  t.deepEqual([byUse.get(useKey(use('gone'))), isCut], [[], false])
  const cut = await findDependentTokens(db, { accountId: 'a', uses }, 2)
  t.true(cut.isCut)
})
