import test from 'ava'
import { parseToken, tokenHash } from '#shared/crypto/token.ts'
import { createAccount } from '#shared/data/accounts/accounts.ts'
import type { Database } from '#shared/data/database.ts'
import { recordUses } from '#shared/data/sign-in/last-uses.ts'
import {
  createToken,
  findToken,
  findTokenByHash,
  findTokensByRef,
  listTokens,
  lockToken,
  readConditionalTokens,
  readTokensWithStars,
  writeToken,
} from '#shared/data/tokens/tokens.ts'
import {
  createSession,
  deleteSession,
  deleteSessionsOfUser,
  findSessionByTokenHash,
} from '#shared/data/users/sessions.ts'
import { createUser } from '#shared/data/users/users.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const now = 1_700_000_000_000

test('an API token is shown once; the database stores its hash and returns everything else', async (t) => {
  const { db } = await testDatabase(t)
  const { token, value } = await createToken(db, {
    id: 't',
    accountId: 'a',
    name: 'ci',
    description: 'deploys',
    tags: ['one', 'two'],
    permissions: [
      { mode: 'allow', action: '*', resourceType: 'list', listIds: ['*'] },
      { mode: 'block', action: 'delete' },
    ],
    ips: ['192.0.2.0/24', '2001:db8::/32'],
    expiresAt: now + 1,
    now,
  })
  t.deepEqual(parseToken(value), { kind: 'api' })
  t.deepEqual(await findTokenByHash(db, tokenHash(value)), { ...token, plan: '' })
  t.like(token, { createdAt: now, updatedAt: now, activated: true, locked: false, lastUsedAt: null })
  t.false(JSON.stringify(await db.all('select * from tokens')).includes(value))
})

const listId = '01890a5d-ac96-774b-bcce-b302099a8057'
const plain: PermissionRule[] = [{ mode: 'allow', action: 'view', resourceType: 'list' }]
const onItems = { resourceType: 'item', listIds: [listId], where: { status: 'eq:draft' } } as const
const conditional: PermissionRule[] = [
  ...plain,
  { mode: 'allow', action: 'view', ...onItems, listIds: [listId] },
  { mode: 'block', action: 'update', ...onItems, listIds: [listId], becomes: { status: 'eq:done' }, changes: ['/a'] },
]
const ruleIndexes = [{ listId, name: 'status', id: 'i', valueType: 'string', pointer: '/status' }]

/** The rules that a process of version 0.2 reads. */
async function plainRules(db: Database, tokenId: string) {
  const row = await db.get('select permissions from tokens where id = ?', [tokenId])
  return JSON.parse(String(row?.permissions))
}

test('processes of 0.2 see no allow rule with conditions, and every block rule without its conditions', async (t) => {
  const { db } = await testDatabase(t)
  const { value } = await createToken(db, {
    id: 't',
    accountId: 'a',
    name: 'ci',
    permissions: conditional,
    ruleIndexes,
    now,
  })
  t.like(await findTokenByHash(db, tokenHash(value)), { permissions: conditional, ruleIndexes })
  const block = { mode: 'block', action: 'update', resourceType: 'item', listIds: [listId] }
  t.deepEqual(await plainRules(db, 't'), [...plain, block])
})

test('rules that a process of 0.2 writes become those of the token, and its other changes leave conditions unchanged', async (t) => {
  const { db } = await testDatabase(t)
  await createToken(db, { id: 't', accountId: 'a', name: 'ci', permissions: conditional, ruleIndexes, now })
  const reserialized = JSON.stringify(await plainRules(db, 't'), null, 1)
  await db.run('update tokens set name = ?, permissions = ? where id = ?', ['renamed', reserialized, 't'])
  t.like(await findToken(db, { accountId: 'a', tokenId: 't' }), { name: 'renamed', permissions: conditional })
  await db.run('update tokens set permissions = ? where id = ?', [JSON.stringify(plain), 't'])
  t.like(await findToken(db, { accountId: 'a', tokenId: 't' }), { permissions: plain, ruleIndexes: [] })
})

test('tokens with conditional rules are found in pages, including those that a process of 0.2 has written', async (t) => {
  const { db } = await testDatabase(t)
  for (const id of ['a', 'b', 'c'])
    await createToken(db, { id, accountId: 'a', name: id, permissions: conditional, ruleIndexes, now })
  await createToken(db, { id: 'd', accountId: 'a', name: 'd', permissions: plain, now })
  await db.run('update tokens set permissions = ? where id = ?', [JSON.stringify(plain), 'b'])
  const found = [
    ...(await readConditionalTokens(db, { after: '', limit: 2 })),
    ...(await readConditionalTokens(db, { after: 'b', limit: 2 })),
  ]
  t.deepEqual(
    found.map(({ token, isOverwritten }) => [token.id, isOverwritten]),
    [
      ['a', false],
      ['b', true],
      ['c', false],
    ],
  )
})

test('replacing conditional rules by rules without conditions leaves nothing of them', async (t) => {
  const { db } = await testDatabase(t)
  await createToken(db, { id: 't', accountId: 'a', name: 'ci', permissions: conditional, ruleIndexes, now })
  await db.transaction(async (tx) => {
    const locked = await lockToken(tx, { accountId: 'a', tokenId: 't' })
    t.like(locked?.token, { permissions: conditional, ruleIndexes })
    if (locked) await writeToken(tx, { ...locked.token, permissions: plain, ruleIndexes: [] })
  })
  t.like(await findToken(db, { accountId: 'a', tokenId: 't' }), { permissions: plain, ruleIndexes: [] })
  t.like(await db.get('select conditional_rules from tokens where id = ?', ['t']), { conditional_rules: null })
})

test('the last use of a token is recorded and never set back', async (t) => {
  const { db } = await testDatabase(t)
  for (const id of ['used', 'unused']) await createToken(db, { id, accountId: 'a', name: id, permissions: [], now })
  for (const at of [now + 5, now + 3]) await recordUses(db, 'tokens', [{ id: 'used', at }])
  const noted = (await listTokens(db, { limit: 5 })).map(({ id, lastUsedAt }) => [id, lastUsedAt])
  t.deepEqual(Object.fromEntries(noted), { used: now + 5, unused: null })
})

test('a token without description, tags, ips and expiry has none', async (t) => {
  const { db } = await testDatabase(t)
  const { token, value } = await createToken(db, { id: 't', accountId: 'a', name: 'ci', permissions: [], now })
  t.like(token, { description: '', tags: [], permissions: [], ips: null, expiresAt: null })
  t.deepEqual(await findTokenByHash(db, tokenHash(value)), { ...token, plan: '' })
  t.is(await findTokenByHash(db, tokenHash(`${value}x`)), null)
})

test('tokens whose rules have a * are read page by page, for all accounts', async (t) => {
  const { db } = await testDatabase(t)
  const view = { mode: 'allow', action: 'view' } as const
  const rules = [
    [view],
    [{ ...view, listIds: ['*'] }],
    [{ ...view, action: '*' as const }],
    [{ ...view, itemIds: ['*'] }],
  ]
  for (const [n, permissions] of rules.entries())
    await createToken(db, { id: `t${n}`, accountId: `a${n % 2}`, name: 'ci', permissions, now })
  const idsAfter = async (after: string) => (await readTokensWithStars(db, { after, limit: 2 })).map(({ id }) => id)
  t.deepEqual(await idsAfter(''), ['t1', 't2'])
  t.deepEqual(await idsAfter('t2'), ['t3'])
})

test('tokens of an account are found by id, and by their exact name', async (t) => {
  const { db } = await testDatabase(t)
  for (const [id, accountId, name] of [
    ['1', 'a', 'ci'],
    ['2', 'a', 'ci'],
    ['3', 'a', 'cie'],
    ['4', 'b', 'ci'],
  ] as const) {
    await createToken(db, { id, accountId, name, permissions: [], now })
  }
  const found = async (ref: string) => (await findTokensByRef(db, { accountId: 'a', ref })).map(({ id }) => id)
  t.deepEqual(await found('ci'), ['1', '2'])
  t.deepEqual(await found('3'), ['3'])
  t.deepEqual([await found('c'), await found('4')], [[], []])
})

test('a session is found by the hash of its token until it is deleted', async (t) => {
  const { db } = await testDatabase(t)
  await createAccount(db, { id: 'a', name: 'A', plan: 'scale', now })
  await createUser(db, { id: 'u', accountId: 'a', email: 'a@example.com', passwordHash: 'hash', now })
  const session = { id: 's', accountId: 'a', userId: 'u', createdAt: now, expiresAt: now + 1 }
  await createSession(db, { ...session, tokenHash: 'h' })
  t.deepEqual(await findSessionByTokenHash(db, 'h'), { ...session, plan: 'scale' })
  t.is(await findSessionByTokenHash(db, 'other'), null)
  t.true(await deleteSession(db, 'h'))
  t.false(await deleteSession(db, 'h'))
  t.is(await findSessionByTokenHash(db, 'h'), null)
})

test('the session of a deleted user does not exist', async (t) => {
  const { db } = await testDatabase(t)
  await createAccount(db, { id: 'a', name: 'A', plan: 'scale', now })
  await createUser(db, { id: 'u', accountId: 'a', email: 'a@example.com', passwordHash: 'hash', now })
  const session = { id: 's', accountId: 'a', userId: 'u', createdAt: now, expiresAt: now + 1 }
  await createSession(db, { ...session, tokenHash: 'h' })
  await db.run('delete from users')
  t.is(await findSessionByTokenHash(db, 'h'), null)
})

test('tokens of an account, or of all, are listed in the order of creation', async (t) => {
  const { db } = await testDatabase(t)
  const created = []
  for (const [id, accountId] of [
    ['t1', 'a'],
    ['t2', 'b'],
  ] as const) {
    created.push((await createToken(db, { id, accountId, name: 'ci', permissions: [], now })).token)
  }
  t.deepEqual(await listTokens(db, { limit: 10 }), created)
  t.deepEqual(await listTokens(db, { limit: 1 }), created.slice(0, 1))
  t.deepEqual(await listTokens(db, { accountId: 'b', limit: 10 }), created.slice(1))
})

test('the sessions of one user end together, and those of others stay', async (t) => {
  const { db } = await testDatabase(t)
  await createAccount(db, { id: 'a', name: 'A', plan: 'scale', now })
  for (const id of ['u', 'v']) {
    await createUser(db, { id, accountId: 'a', email: `${id}@example.com`, passwordHash: 'hash', now })
    for (const n of [1, 2]) {
      const session = { id: `${id}${n}`, accountId: 'a', userId: id, createdAt: now, expiresAt: now + 1 }
      await createSession(db, { ...session, tokenHash: `${id}${n}` })
    }
  }
  t.is(await deleteSessionsOfUser(db, 'u'), 2)
  t.is(await findSessionByTokenHash(db, 'u1'), null)
  t.truthy(await findSessionByTokenHash(db, 'v2'))
  t.is(await deleteSessionsOfUser(db, 'u'), 0)
})
