import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { adaAndGrace, failedLogins, failedUserLogins, failureOf } from '../support/identity/failed-logins.ts'
import { startIdentity } from '../support/identity/identity.ts'
import { seededRandom, shuffled, withSeed } from '../support/load/soak.ts'
import { median } from '../support/load/statistics.ts'

// Another test shows that each of them verifies one password; here the whole login is measured.
// In processor time: whatever else runs on the machine makes clocks tell less than that.

const rounds = 500
/** How often the samples are dealt to the kinds anew, as if all kinds were one. */
const deals = 400

type Login = [what: string, make: (clientAddress: string) => Promise<unknown>]

test.serial(withSeed('no failed login of an identity differs from another in the CPU that it takes'), async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  const kinds = ['an unknown name', 'a wrong password', 'a wrong group', 'a deactivated identity']
  await takeTheSame(
    t,
    db,
    kinds.map((what) => [
      what,
      (clientAddress) => signIn({ who: { group: null, name: '' }, ...failedLogins[what], clientAddress }),
    ]),
  )
})

test.serial(withSeed('no failed login of a user differs from another in the CPU that it takes'), async (t) => {
  const { db, login } = await startIdentity(t)
  // A text that is not an email differs: it is not looked up. This reveals nothing, because everybody knows that it is not one.
  const kinds = ['an unknown email', 'a wrong password', 'a disabled user']
  await takeTheSame(
    t,
    db,
    kinds.map((what) => [what, (clientAddress) => login({ email: '', ...failedUserLogins[what], clientAddress })]),
  )
})

/**
 * By chance alone one sample in 400 lies further apart than all the deals of it. So it takes two samples that are independent of
 * each other, both further apart than chance: that comes about once in 160,000 runs, and a true difference shows in both.
 */
async function takeTheSame(t: ExecutionContext, db: Database, logins: readonly Login[]): Promise<void> {
  t.timeout(3_600_000)
  const random = seededRandom()
  const sample = () => isFurtherThanChance(t, { db, logins, random })
  t.false((await sample()) && (await sample()), 'two samples are both further apart than chance')
}

type Sampling = { db: Database; logins: readonly Login[]; random: () => number }

/**
 * Measures the kinds in turn, in an order of each round's own, so that what changes meanwhile meets all alike. Then the same
 * samples are dealt to the kinds by chance, round by round: so far apart are the medians of kinds that are all the same.
 */
async function isFurtherThanChance(t: ExecutionContext, { db, logins, random }: Sampling): Promise<boolean> {
  const samples: number[][] = []
  for (let round = 0; round < rounds; round++) samples.push(await measureRound(db, { logins, round, random }))
  const typical = medians(samples)
  const apart = spread(typical)
  const byChance = Array.from({ length: deals }, () => spread(medians(samples.map((row) => shuffled(random, row)))))
  for (const [n, [what]] of logins.entries()) t.log(`${typical[n]?.toFixed(3)} ms: ${what}`)
  const bound = Math.max(...byChance)
  t.log(`${apart.toFixed(3)} ms apart, by chance ${median(byChance).toFixed(3)}, at most ${bound.toFixed(3)}`)
  return apart > bound
}

type Round = { logins: readonly Login[]; round: number; random: () => number }

/** @returns the milliseconds of each kind */
async function measureRound(db: Database, { logins, round, random }: Round): Promise<number[]> {
  await db.run('delete from login_attempts')
  const costs: number[] = []
  for (const n of shuffled(random, [...logins.keys()])) {
    const before = process.cpuUsage()
    await failureOf(Promise.resolve(logins[n]?.[1](`192.0.${round >> 8}.${round & 255}`))) // one address may fail 100 times a minute
    const { user, system } = process.cpuUsage(before)
    costs[n] = (user + system) / 1_000
  }
  return costs
}

/** Of each kind over all rounds. */
function medians(samples: readonly number[][]): number[] {
  return (samples[0] ?? []).map((_, n) => median(samples.map((row) => row[n] ?? Number.NaN)))
}

const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)
