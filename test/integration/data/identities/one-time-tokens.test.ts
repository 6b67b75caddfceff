import test from 'ava'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import {
  requestAction,
  requestOneTimeToken,
} from '#services/gateway/resources/identities/one-time-tokens/request-token.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { changeIdentity, removeIdentity } from '#shared/data/identities/identity-changes.ts'
import {
  deleteOneTimeTokens,
  findOneTimeTokenOwner,
  type OneTimeKind,
  putOneTimeToken,
  useOneTimeToken,
} from '#shared/data/identities/one-time-tokens.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { IdentityBody } from '#shared/domain/identity/change.ts'
import { testId } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { statementsOf } from '../../../support/databases/statements.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { bothKinds } from '../../../support/identity/one-time-tokens.ts'

const key = (tokenHash: string, kind: OneTimeKind = 'reset') => ({ accountId: 'account', kind, tokenHash })
const token = (identityId: string, tokenHash: string, kind?: OneTimeKind) => ({
  ...key(tokenHash, kind),
  identityId,
  createdAt: 1_000,
  expiresAt: 2_000,
})
const add = async (db: Database) => (await makeIdentity(db, { accountId: 'account' })).identityId

test('a token is found and used by its account, kind and hash until it expires, and used once', async (t) => {
  const { db } = await testDatabase(t)
  const ada = await add(db)
  await putOneTimeToken(db, token(ada, 'hash'))
  for (const wrong of [
    { ...key('hash'), accountId: 'other', now: 1_500 },
    { ...key('hash', 'verify'), now: 1_500 },
    { ...key('another'), now: 1_500 },
    { ...key('hash'), now: 2_000 },
  ]) {
    t.is(await findOneTimeTokenOwner(db, wrong), null)
    t.false(await useOneTimeToken(db, wrong))
  }
  const now = { now: 1_999 }
  t.is((await findOneTimeTokenOwner(db, { ...key('hash'), ...now }))?.identity.id, ada)
  t.true(await useOneTimeToken(db, { ...key('hash'), ...now }))
  t.false(await useOneTimeToken(db, { ...key('hash'), ...now }))
})

test('a new token replaces only the one of its identity and kind', async (t) => {
  const { db } = await testDatabase(t)
  const [ada, grace] = [await add(db), await add(db)]
  await putOneTimeToken(db, token(ada, 'first'))
  await putOneTimeToken(db, token(ada, 'verification', 'verify'))
  await putOneTimeToken(db, token(grace, 'graces'))
  await putOneTimeToken(db, { ...token(ada, 'second'), expiresAt: 3_000 })
  const found = async (hash: string, kind?: OneTimeKind, now = 1_500) =>
    (await findOneTimeTokenOwner(db, { ...key(hash, kind), now }))?.identity.id
  t.is(await found('first'), undefined)
  t.is(await found('second', 'reset', 2_999), ada)
  t.is(await found('verification', 'verify'), ada)
  t.is(await found('graces'), grace)
  await deleteOneTimeTokens(db, { accountId: 'account', identityId: ada })
  t.is(await found('second'), undefined)
  t.is(await found('verification', 'verify'), undefined)
  t.is(await found('graces'), grace)
})

test('a password or another email that the account sets, and a deletion, end both tokens; other changes end none', async (t) => {
  const { db } = await testDatabase(t)
  const ada = await add(db)
  const at = { accountId: 'account', identityId: ada, actor: null }
  const change = (body: IdentityBody, passwordHash?: string) =>
    db.transaction((tx) => changeIdentity(tx, { ...at, body, passwordHash, eventId: testId() }))
  const put = async () => {
    await putOneTimeToken(db, token(ada, 'hash'))
    await putOneTimeToken(db, token(ada, 'verification', 'verify'))
  }
  const left = async () => (await db.all('select kind from identity_one_time_tokens')).length
  await put()
  await change({ name: 'Grace', displayName: 'G.', email: null, tags: ['a'], activated: false })
  t.is(await left(), 2)
  await change({ email: 'grace@listd.example' })
  t.is(await left(), 0)
  await put()
  await change({}, 'another hash')
  t.is(await left(), 0)
  await put()
  const actor = { authMode: 'user', tokenId: null, identityId: null } as const
  t.true(await db.transaction((tx) => removeIdentity(tx, { ...at, actor, eventId: testId() })))
  t.is(await left(), 0)
})

const accountId = newId()
const user: AuthenticatedPrincipal = {
  mode: 'user',
  accountId,
  limits: null,
  rates: null,
  userId: 'u',
  sessionId: 's',
  actor: { authMode: 'user', tokenId: null, identityId: null },
}

// In series, because all statements that the process sends are recorded.
for (const kind of bothKinds) {
  test.serial(
    `${kind}: a request for no identity sends the database the same statements as one for an existing identity`,
    async (t) => {
      const { db: first, dataDir } = await testDatabase(t)
      const { identityId } = await makeIdentity(first, { accountId, name: 'Ada', email: 'ada@example.com' })
      const db = await anotherConnection(t, dataDir, { pool: 1 })
      const sent = (who: { name: string } | { identityId: string }, principal: AuthenticatedPrincipal = user) =>
        statementsOf(() => requestOneTimeToken({ db }, { principal, kind, who }))
      const permissions = compilePermissions([{ mode: 'allow', action: requestAction[kind], groups: ['guests'] }])
      const elsewhere: AuthenticatedPrincipal = {
        mode: 'token',
        accountId,
        limits: null,
        rates: null,
        tokenId: 't',
        tokenTags: [],
        askedAt: 0,
        perMinute: null,
        permissions,
        identity: null,
        actor: { authMode: 'token', tokenId: 't', identityId: null },
      }
      // Opens the connections that are opened on first use.
      await sent({ name: 'Ada' })
      await db.checkpoint()
      const byName = await sent({ name: 'Ada' })
      t.regex(byName, /insert into identity_one_time_tokens/)
      t.is(await sent({ name: 'Nobody' }), byName)
      t.is(await sent({ name: 'Ada' }, elsewhere), byName)
      t.is(await sent({ identityId: newId() }), await sent({ identityId }))
    },
  )
}
