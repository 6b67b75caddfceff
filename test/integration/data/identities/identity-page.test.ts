import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { identityOrders } from '#shared/data/identities/columns.ts'
import { type IdentityPageRequest, type IdentitySet, readIdentityPage } from '#shared/data/identities/identity-page.ts'
import type { Direction } from '#shared/data/pages/page.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { Action, PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { selectIdentities } from '#shared/domain/access/selections.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { readTextFilter } from '#shared/domain/text/filter.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'

const accountId = 'account'
const everyone: Pick<IdentitySet, 'accountId' | 'visible' | 'filters'> = { accountId, visible: null, filters: {} }

type Made = Pick<Identity, 'id' | 'name' | 'group'>

const people: { name: string; group?: string }[] = [
  { name: 'Ärger', group: 'b' },
  { name: 'zoë' },
  { name: 'ada', group: 'B' },
  { name: 'Bob' },
  { name: 'carl', group: 'a' },
  { name: 'Dora', group: 'a' },
  { name: 'eve' },
]

/** In the order of their creation; the ungrouped space and those who never signed in are among them. */
async function populate(db: Database): Promise<Made[]> {
  const made: Made[] = []
  for (const [n, { name, group }] of people.entries()) {
    const { identityId: id } = await makeIdentity(db, { accountId, name, ...(group !== undefined && { group }) })
    made.push({ id, name, group: group ?? null })
    await db.run('update identities set created_at = ?, updated_at = ?, last_login_at = ? where id = ?', [
      Math.min(n, 4),
      9 - n,
      n % 2 ? 7 - n : null,
      id,
    ])
    if (n % 3 === 0) await db.run('update identities set activated = 0, tags = ? where id = ?', ['["vip","x"]', id])
  }
  await makeIdentity(db, { accountId: 'other', name: 'canary' })
  return made
}

const request = (given: Partial<IdentityPageRequest> & { page?: number; after?: string }): IdentityPageRequest => {
  const { page = 1, after, ...rest } = given
  const common = { limit: 100, order: 'createdAt', direction: 'asc', filters: '', ...rest } as const
  return after === undefined ? { ...common, page } : { ...common, after }
}

const orders: [order: IdentityPageRequest['order'], direction: Direction, names: string][] = [
  ['createdAt', 'asc', 'Ärger zoë ada Bob carl Dora eve'],
  ['createdAt', 'desc', 'eve Dora carl Bob ada zoë Ärger'],
  ['updatedAt', 'asc', 'eve Dora carl Bob ada zoë Ärger'],
  ['name', 'asc', 'ada Bob carl Dora eve zoë Ärger'],
  ['name', 'desc', 'Ärger zoë eve Dora carl Bob ada'],
  ['displayName', 'asc', 'ada Bob carl Dora eve zoë Ärger'],
  // The groups b and B have equal keys; those without a group come last in both directions.
  ['group', 'asc', 'carl Dora Ärger ada zoë Bob eve'],
  ['group', 'desc', 'ada Ärger Dora carl eve Bob zoë'],
  ['lastLoginAt', 'asc', 'Dora Bob zoë Ärger ada carl eve'],
  ['lastLoginAt', 'desc', 'zoë Bob Dora eve carl ada Ärger'],
  ['activated', 'asc', 'Ärger Bob eve zoë ada carl Dora'],
]

test('identities are ordered alike by number and by cursor, whatever the size of a page', async (t) => {
  const { db } = await testDatabase(t)
  await populate(db)
  for (const [order, direction, names] of orders) {
    for (const limit of [1, 2, 3, 100]) {
      const byNumber: string[] = []
      for (let page = 1; page <= 8; page++) {
        const found = await readIdentityPage(db, everyone, request({ order, direction, limit, page }))
        byNumber.push(...found.data.map(({ identity }) => identity.name))
        t.like(found, { total: 7 })
      }
      t.is(byNumber.join(' '), names, `${order} ${direction} ${limit}`)
      const walked: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const found = await readIdentityPage(db, everyone, request({ order, direction, limit, after }))
        walked.push(...found.data.map(({ identity }) => identity.name))
        after = 'next' in found ? found.next : null
      }
      t.is(walked.join(' '), names, `${order} ${direction} ${limit} by cursor`)
    }
  }
  t.deepEqual(Object.keys(identityOrders).toSorted(), [...new Set(orders.map(([order]) => order))].toSorted())
})

const filters: [filters: IdentitySet['filters'], names: string][] = [
  [{ group: readTextFilter('eq:B') }, 'Ärger ada'],
  [{ group: readTextFilter('eq:') }, 'zoë Bob eve'],
  [{ group: readTextFilter('in:a,b') }, 'Ärger ada carl Dora'],
  [{ name: readTextFilter('ÄR') }, 'Ärger'],
  [{ name: readTextFilter('starts:ZO') }, 'zoë'],
  [{ displayName: readTextFilter('the b') }, 'Bob'],
  [{ activated: false }, 'Ärger Bob eve'],
  [{ activated: true, group: readTextFilter('a') }, 'carl Dora'],
  [{ tagged: [['vip', 'y'], ['x']] }, 'Ärger Bob eve'],
  [{ tagged: [['y']] }, ''],
]

test('filters show the identities that pass all of them', async (t) => {
  const { db } = await testDatabase(t)
  await populate(db)
  for (const [given, names] of filters) {
    const found = await readIdentityPage(db, { ...everyone, filters: given }, request({}))
    t.is(found.data.map(({ identity }) => identity.name).join(' '), names, JSON.stringify(given))
    t.like(found, { total: found.data.length })
  }
})

/** Contract 3, as it is written: the last rule that matches decides. */
function mayView(rules: readonly PermissionRule[], { id, group }: Made): boolean {
  let allowed = false
  for (const { mode, action, resourceType, ...selectors } of rules) {
    const { identityIds, groups, ...others } = selectors
    const selects = (ids: string[] | undefined, value: string | null) =>
      ids === undefined || ids.includes('*') || (value !== null && ids.includes(value))
    const matches =
      ['*', 'view'].includes(action) && (resourceType ?? 'identity') === 'identity' &&
      selects(identityIds, id) && selects(groups, group) &&
      Object.values(others).every((ids) => selects(ids, null)) // biome-ignore format: one condition a line
    if (matches) allowed = mode === 'allow'
  }
  return allowed
}

/** Numbers that look random and are the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('a page shows exactly the identities that the rules allow, as each is decided by itself', async (t) => {
  const { db } = await testDatabase(t)
  const made = await populate(db)
  const pick = seeded(7)
  const oneOf = <T>(of: readonly T[]): T => of[pick(of.length)] as T
  const ids = [...made.map(({ id }) => id), '*', 'nobody']
  const some = (of: readonly string[]) => Array.from({ length: 1 + pick(3) }, () => oneOf(of))
  const rule = (): PermissionRule => ({
    mode: oneOf(['allow', 'allow', 'block']),
    action: oneOf<Action | '*'>(['view', 'view', 'view', '*', 'update']),
    ...(pick(2) === 0 && { resourceType: oneOf(['identity', 'identity', 'item'] as const) }),
    ...(pick(2) === 0 && { identityIds: some(ids) }),
    ...(pick(2) === 0 && { groups: some(['a', 'b', 'B', '*', 'none']) }),
    ...(pick(8) === 0 && { listIds: some(['*', 'list']) }),
  })
  for (let round = 0; round < 150; round++) {
    const rules = Array.from({ length: pick(7) }, rule)
    const visible = selectIdentities(compilePermissions(rules), { action: 'view', resourceType: 'identity' })
    const found = await readIdentityPage(db, { ...everyone, visible }, request({}))
    const expected = made.filter((one) => mayView(rules, one))
    t.deepEqual(found.data.map(({ identity }) => identity.id), expected.map(({ id }) => id), JSON.stringify(rules)) // biome-ignore format: one line
    t.like(found, { total: expected.length })
  }
})
