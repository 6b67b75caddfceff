import test from 'ava'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import {
  requestAction,
  requestOneTimeToken,
} from '#services/gateway/resources/identities/one-time-tokens/request-token.ts'
import { newId } from '#shared/crypto/ids.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { statementsOf } from '../../../support/databases/statements.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { bothKinds } from '../../../support/identity/one-time-tokens.ts'

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
  test.serial(`${kind}: a request for nobody sends the database the same statements as one for somebody`, async (t) => {
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
  })
}
