import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { adaAndGrace, failedLogins, failedUserLogins, failureOf } from '../support/identity/failed-logins.ts'
import { startIdentity } from '../support/identity/identity.ts'
import { median } from '../support/load/statistics.ts'

// That each of them makes one verification is a test of every run; here it is measured, with all that is done beside it.
// In processor time: whatever else runs on the machine makes clocks tell less than that.

const rounds = 40
/** An answer without a verification would take a tenth of what one with it takes. */
const mostTimesAsMuch = 1.5

type Login = [what: string, make: (clientAddress: string) => Promise<unknown>]

test.serial('no failed login of an identity is told from another by what it takes', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  const logins = Object.entries(failedLogins).map(([what, given]): Login => {
    return [what, (clientAddress) => signIn({ ...given, clientAddress })]
  })
  await takeTheSame(t, db, logins)
})

test.serial('no failed login of a user is told from another by what it takes', async (t) => {
  const { db, login } = await startIdentity(t)
  const logins = Object.entries(failedUserLogins).map(([what, given]): Login => {
    return [what, (clientAddress) => login({ ...given, clientAddress })]
  })
  await takeTheSame(t, db, logins)
})

/** Measures them in turn, so that what changes in the process meanwhile meets all kinds alike. */
async function takeTheSame(t: ExecutionContext, db: Database, logins: readonly Login[]): Promise<void> {
  t.timeout(600_000)
  const costs = logins.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    await db.run('delete from login_attempts')
    for (const [n, [, make]] of logins.entries()) {
      const before = process.cpuUsage()
      await failureOf(make(`192.0.2.${round}`)) // one address may fail 100 times a minute
      const { user, system } = process.cpuUsage(before)
      costs[n]?.push((user + system) / 1_000)
    }
  }
  const typical = costs.map(median)
  for (const [n, [what]] of logins.entries()) t.log(`${typical[n]?.toFixed(1)} ms: ${what}`)
  t.true(Math.max(...typical) < mostTimesAsMuch * Math.min(...typical))
}
