import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { adaAndGrace, failedLogins, failedUserLogins, failureOf } from '../support/identity/failed-logins.ts'
import { startIdentity } from '../support/identity/identity.ts'
import { seededRandom, shuffled, withSeed } from '../support/load/soak.ts'
import { median } from '../support/load/statistics.ts'

// Another test shows that each failed login verifies one password; this one measures the whole login, in processor time, because
// other work on the machine affects the elapsed time more.

const rounds = 500
/** The number of times that the samples are assigned to the kinds at random, as if all kinds were the same. */
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
  // A text that is not an email is left out: it is not looked up. The difference reveals nothing, because anyone can see that it is not one.
  const kinds = ['an unknown email', 'a wrong password', 'a disabled user']
  await takeTheSame(
    t,
    db,
    kinds.map((what) => [what, (clientAddress) => login({ email: '', ...failedUserLogins[what], clientAddress })]),
  )
})

/**
 * By chance, the kinds of one sample in 400 are further apart than in all its random assignments. So the test fails only if two
 * independent samples are: this happens by chance once in 160,000 runs, and a real difference shows in both.
 */
async function takeTheSame(t: ExecutionContext, db: Database, logins: readonly Login[]): Promise<void> {
  t.timeout(3_600_000)
  const random = seededRandom()
  const sample = () => isFurtherThanChance(t, { db, logins, random })
  t.false((await sample()) && (await sample()), 'two samples are both further apart than chance')
}

type Sampling = { db: Database; logins: readonly Login[]; random: () => number }

/**
 * Measures the kinds in turn, in a random order for each round, so that a change of the machine's load affects all kinds equally.
 * Then it assigns the samples of each round to the kinds at random, which shows how far apart the medians of equal kinds are.
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

/** The median of each kind over all rounds. */
function medians(samples: readonly number[][]): number[] {
  return (samples[0] ?? []).map((_, n) => median(samples.map((row) => row[n] ?? Number.NaN)))
}

const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)
