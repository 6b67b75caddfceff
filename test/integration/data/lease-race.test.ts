import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { databaseSettings, testDatabase } from '../../support/database.ts'

const rivals = 8
const rounds = 1_000

test(`of ${rivals} processes that race for a lease one gets it, in each of ${rounds} rounds`, async (t) => {
  t.timeout(180_000)
  const { dataDir } = await testDatabase(t)
  const processes = await Promise.all(Array.from({ length: rivals }, () => rival(t, dataDir)))
  const all = (message: object) => Promise.all(processes.map((one) => ask(one, message)))
  let fence = 0
  for (let round = 0; round < rounds; round++) {
    // Of two rounds the first is for a lease that was never there, the second for one that was given back.
    const fences = (await all({ take: `lease ${round >> 1}` })).filter((held) => held !== null)
    fence = round % 2 === 0 ? 1 : fence + 1
    if (fences.length !== 1 || fences[0] !== fence) return t.fail(`round ${round}: ${JSON.stringify(fences)}`)
    await all({})
  }
  t.pass()
})

async function rival(t: ExecutionContext, dataDir: string): Promise<ChildProcess> {
  const { LISTD_DATABASE_URL: url = '' } = databaseSettings(dataDir)
  const child = fork(join(import.meta.dirname, '../../fixtures/lease-rival.ts'), [url, dataDir])
  t.teardown(async () => {
    child.disconnect()
    if (child.exitCode === null) await once(child, 'exit')
  })
  await once(child, 'message')
  return child
}

/** @returns the fence of the lease that it holds; null for none */
async function ask(child: ChildProcess, message: object): Promise<number | null> {
  const answered = once(child, 'message')
  child.send(message)
  const [{ fence }] = await answered
  return fence
}
