import test from 'ava'
import { type IdentityOrder, identityOrders } from '#shared/data/identities/columns.ts'
import { type GroupOrder, groupOrders, readGroupPage } from '#shared/data/identities/identity-groups.ts'
import { type IdentitySet, readIdentityPage } from '#shared/data/identities/identity-page.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { slowSteps, watchPlans } from '../../../support/databases/plans.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'

const accountId = 'account'
const common = { limit: 2, filters: '' } as const
const rules = [{ allow: true, ids: ['x'], groups: null }, { allow: true, ids: null, groups: ['staff'] }] // biome-ignore format: one line
const sets: [claim: string, set: Omit<IdentitySet, 'accountId'>][] = [
  ['all identities', { visible: null, filters: {} }],
  ['what a token sees', { visible: rules, filters: {} }],
  ['those that are activated', { visible: null, filters: { activated: true } }],
]

for (const [claim, set] of sets) {
  test(`a page of ${claim} is read in the order of an index, whatever its order`, async (t) => {
    const { db } = await testDatabase(t)
    for (const group of ['staff', undefined, 'guests']) await makeIdentity(db, { accountId, ...(group && { group }) })
    for (const order of Object.keys(identityOrders) as IdentityOrder[]) {
      for (const direction of ['asc', 'desc'] as const) {
        const { db: watched, plans } = watchPlans(db)
        const read = (at: { page: number } | { after: string }) =>
          readIdentityPage(watched, { accountId, ...set }, { ...common, order, direction, ...at })
        const first = await read({ after: '' })
        if ('next' in first && first.next) await read({ after: first.next })
        await read({ page: 2 })
        for (const plan of plans) t.deepEqual(slowSteps(plan), [], `${order} ${direction}: ${plan.text}`)
      }
    }
  })
}

test('a page of groups is read in the order of an index, whatever its order', async (t) => {
  const { db } = await testDatabase(t)
  for (const group of ['a', 'b', 'c']) await makeIdentity(db, { accountId, group })
  for (const order of Object.keys(groupOrders) as GroupOrder[]) {
    const { db: watched, plans } = watchPlans(db)
    const read = (at: { page: number } | { after: string }) =>
      readGroupPage(watched, { accountId, filters: {} }, { ...common, order, direction: 'desc', ...at })
    const first = await read({ after: '' })
    if ('next' in first && first.next) await read({ after: first.next })
    await read({ page: 1 })
    for (const plan of plans) t.deepEqual(slowSteps(plan), [], `${order}: ${plan.text}`)
  }
})
