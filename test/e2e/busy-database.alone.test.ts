import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { getSetting, putSetting } from '#shared/data/settings.ts'
import { anotherConnection } from '../support/database.ts'
import { type FixtureProcess, startFixture } from '../support/fixture-process.ts'
import { type Listd, testListd } from '../support/listd.ts'
import { median, quantile } from '../support/statistics.ts'

/** Odd, so that one of them is in the middle. */
const rounds = 5
const loginsARound = 20
const writeEveryMs = 5

test('beside a process that commits as fast as it can, a write of another waits 25 ms at most, and a login 50 ms beyond its quiet value', async (t) => {
  t.timeout(180_000)
  const listd = await testListd(t)
  const db = await anotherConnection(t, listd.dataDir, { pool: 1 })
  const committer = await startFixture(t, 'busy-committer.ts', listd.dataDir)
  const identity = { name: 'ada', password: 'correct horse battery staple' }
  t.is((await listd.api('POST', '/identities/register', { body: identity })).status, 201)
  const logIn = () => timeLogins(listd, identity)
  await besideCommits({ committer, db }, logIn) // afterwards all of it is compiled

  const quiet: number[] = []
  const busy: number[] = []
  const waits: number[] = []
  for (let round = 0; round < rounds; round++) {
    quiet.push(median(await logIn()))
    const { logins, writes, committed } = await besideCommits({ committer, db }, logIn)
    busy.push(median(logins))
    waits.push(...writes)
    t.true(committed >= 100)
  }
  const p99 = quantile(waits, 0.99)
  t.log(`p99 of ${waits.length} writes ${inMs([p99])}; logins ${inMs(quiet)} quiet, ${inMs(busy)} beside commits`)
  t.true(p99 <= 25)
  t.true(median(busy) <= median(quiet) + 50)
})

/** What logins and writes take while another process commits. */
async function besideCommits(
  { committer, db }: { committer: FixtureProcess; db: Database },
  logIn: () => Promise<number[]>,
): Promise<{ logins: number[]; writes: number[]; committed: number }> {
  const before = await committer.ask<Count>('start')
  const writing = await keepWriting(db)
  const logins = await logIn()
  const writes = await writing.stop()
  const { committed } = await committer.ask<Count>('stop')
  return { logins, writes, committed: committed - before.committed }
}

/** Items that the process has committed. */
type Count = { committed: number }

/** Milliseconds of some logins, one after the other. */
async function timeLogins({ api }: Listd, body: { name: string; password: string }): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < loginsARound; n++) {
    const startedAt = performance.now()
    const { status, text } = await api('POST', '/identities/login', { body })
    if (status !== 200) throw new Error(text)
    times.push(performance.now() - startedAt)
  }
  return times
}

/** Writes one row again and again, in a transaction each, as any process of the service would. */
async function keepWriting(db: Database): Promise<{ stop(): Promise<number[]> }> {
  const version = (await getSetting(db, 'version')) ?? ''
  const times: number[] = []
  let stopped = false
  async function write(): Promise<void> {
    while (!stopped) {
      const startedAt = performance.now()
      await db.transaction((tx) => putSetting(tx, 'version', version))
      times.push(performance.now() - startedAt)
      await delay(writeEveryMs)
    }
  }
  const writing = write()
  return {
    /** @returns the milliseconds of each write */
    async stop() {
      stopped = true
      await writing
      return times
    },
  }
}

const inMs = (values: readonly number[]) => values.map((value) => value.toFixed(1)).join(' ')
