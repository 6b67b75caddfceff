import test from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { identityOrders, identityRows } from '#shared/data/identities/columns.ts'
import { ensureGroup } from '#shared/data/identities/identity-groups.ts'
import { type IdentityPageRequest, type IdentitySet, readIdentityPage } from '#shared/data/identities/identity-page.ts'
import type { Direction } from '#shared/data/pages/page.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { Action, PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { selectIdentities } from '#shared/domain/access/selections.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { maxExamined } from '#shared/domain/limits.ts'
import { readTextFilter } from '#shared/domain/text/filter.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'

const accountId = 'account'
const everyone: Pick<IdentitySet, 'accountId' | 'visible' | 'filters'> = { accountId, visible: null, filters: {} }

type Created = Pick<Identity, 'id' | 'name' | 'group'>

const people: { name: string; group?: string }[] = [
  { name: 'Ärger', group: 'b' },
  { name: 'zoë' },
  { name: 'ada', group: 'B' },
  { name: 'Bob' },
  { name: 'carl', group: 'a' },
  { name: 'Dora', group: 'a' },
  { name: 'eve' },
]

/** Identities in the order of their creation, some without a group, and some that never signed in. */
async function populate(db: Database): Promise<Created[]> {
  const created: Created[] = []
  for (const [n, { name, group }] of people.entries()) {
    const { identityId: id } = await makeIdentity(db, { accountId, name, ...(group !== undefined && { group }) })
    created.push({ id, name, group: group ?? null })
    await db.run('update identities set created_at = ?, updated_at = ?, last_login_at = ? where id = ?', [
      Math.min(n, 4),
      9 - n,
      n % 2 ? 7 - n : null,
      id,
    ])
    if (n % 3 === 0) await db.run('update identities set activated = 0, tags = ? where id = ?', ['["vip","x"]', id])
  }
  await makeIdentity(db, { accountId: 'other', name: 'canary' })
  return created
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

test('identities have the same order by number and by cursor, whatever the size of a page', async (t) => {
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

/** Contract 3 as it is written: the last matching rule decides. */
function mayView(rules: readonly PermissionRule[], { id, group }: Created): boolean {
  let allowed = false
  for (const { mode, action, resourceType, ...selectors } of rules) {
    const { identityIds, groups, listIds, itemIds, indexIds, flowIds } = selectors
    const selects = (ids: string[] | undefined, value: string | null) =>
      ids === undefined || ids.includes('*') || (value !== null && ids.includes(value))
    const matches =
      ['*', 'view'].includes(action) && (resourceType ?? 'identity') === 'identity' &&
      selects(identityIds, id) && selects(groups, group) &&
      [listIds, itemIds, indexIds, flowIds].every((ids) => selects(ids, null)) &&
      (mode === 'block' || coversIdentities(selectors)) // biome-ignore format: one condition a line
    if (matches) allowed = mode === 'allow'
  }
  return allowed
}

/** Whether an allow rule covers identities: if every selector has `*`, one of them must be able to select identities. */
function coversIdentities(selectors: object): boolean {
  const named = Object.entries(selectors)
  if (named.length === 0 || named.some(([, ids]) => !ids.includes('*'))) return true
  return named.some(([name]) => ['identityIds', 'groups'].includes(name))
}

/** Numbers that look random and are the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('a page shows exactly the identities that the rules allow individually', async (t) => {
  const { db } = await testDatabase(t)
  const created = await populate(db)
  const pick = seeded(7)
  const oneOf = <T>(of: readonly T[]): T => of[pick(of.length)] as T
  const ids = [...created.map(({ id }) => id), '*', 'nobody']
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
    const expected = created.filter((one) => mayView(rules, one))
    t.deepEqual(found.data.map(({ identity }) => identity.id), expected.map(({ id }) => id), JSON.stringify(rules)) // biome-ignore format: one line
    t.like(found, { total: expected.length })
  }
})

const hidden = maxExamined + 100

/** Two identities of the group `rare`, and then more others than a call examines. @returns the ids of the two, the newer one first */
async function hideTwo(db: Database): Promise<string[]> {
  const group = await db.transaction((tx) => ensureGroup(tx, { accountId, name: 'rare', idIfNew: newId() }))
  const rows = Array.from({ length: hidden + 2 }, (_, n) => {
    const identity: Identity = {
      id: newId(),
      accountId,
      createdAt: n,
      updatedAt: n,
      name: `n${n}`,
      displayName: `d${n}`,
      group: n < 2 ? 'rare' : null,
      tags: [],
      email: null,
      emailVerified: false,
      hasPassword: false,
      lastLoginAt: null,
      activated: true,
    }
    return { ...identity, groupId: n < 2 ? group.id : '', passwordHash: null }
  })
  for (let start = 0; start < rows.length; start += 2_000) {
    await db.transaction((tx) => insertRows(tx, identityRows(rows.slice(start, start + 2_000))))
  }
  return [rows[1]?.id ?? '', rows[0]?.id ?? '']
}

const sealing = {
  seal: (text: string) => `sealed ${text}`,
  open(sealed: string) {
    if (!sealed.startsWith('sealed ')) throw new Error('It is not sealed.')
    return sealed.slice('sealed '.length)
  },
}

test('a caller who sees few of many identities gets short pages with sealed cursors, which reveal nothing of the others', async (t) => {
  const { db } = await testDatabase(t)
  const visibleIds = await hideTwo(db)
  const visible = [{ allow: true, ids: null, groups: ['rare'] }]
  const common = { limit: 20, order: 'createdAt', direction: 'desc', filters: '', sealing } as const
  const all: IdentitySet = { accountId, visible, filters: {} }
  for (const filters of [{}, { activated: true }]) {
    const set = { ...all, filters }
    const first = await readIdentityPage(db, set, { ...common, after: '' })
    t.deepEqual(Object.keys(first), ['limit', 'next', 'data'])
    t.deepEqual(first.data, [])
    const after = 'next' in first ? (first.next ?? '') : ''
    t.regex(Buffer.from(after, 'base64url').toString(), /^sealed /)
    const rest = await readIdentityPage(db, set, { ...common, after })
    t.like(rest, { next: null })
    t.deepEqual(
      rest.data.map(({ identity }) => identity.id),
      visibleIds,
    )
    const { sealing: _, ...plain } = common
    await t.throwsAsync(readIdentityPage(db, set, { ...plain, after }), { name: 'VALIDATION_FAILED' })
    const read = await readIdentityPage(db, set, { ...plain, after: '' })
    t.deepEqual(read.data, rest.data, 'without a sealed cursor the call reads to the end')
  }
  t.like(await readIdentityPage(db, all, { ...common, page: 1 }), { total: 2 }, 'without filters a total is exact')
  const filtered = { ...all, filters: { activated: true } }
  const error = await t.throwsAsync(readIdentityPage(db, filtered, { ...common, page: 1 }))
  t.like(error, { details: { parameter: 'activated', examined: maxExamined } })
})
