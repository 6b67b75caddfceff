import test from 'ava'
import { adaAndGrace, failedLogins, failedUserLogins, failureOf } from '../../support/identity/failed-logins.ts'

// Servers reject some texts that SQLite accepts, so no such text may reach the database.

test('every failed login has the same answer', async (t) => {
  const { login, signIn } = await adaAndGrace(t)
  for (const [what, given] of Object.entries(failedUserLogins)) {
    t.is((await failureOf(login(given))).name, 'USER_NOT_AUTHENTICATED', what)
  }
  for (const [what, given] of Object.entries(failedLogins)) {
    t.is((await failureOf(signIn(given))).name, 'IDENTITY_NOT_AUTHENTICATED', what)
  }
})
