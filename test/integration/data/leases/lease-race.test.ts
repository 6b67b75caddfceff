import test from 'ava'
import { testDatabase } from '../../../support/databases/database.ts'
import { rounds } from '../../../support/load/soak.ts'
import { startTestProgram } from '../../../support/programs/test-program.ts'

/** The fence of a rival's lease, or null if it has none. */
type Held = { fence: number | null }

const rivals = 8

test(`of ${rivals} processes that race for a lease one gets it, in every round`, async (t) => {
  t.timeout(rounds({ once: 180_000, soak: 1_800_000 }))
  const { dataDir } = await testDatabase(t)
  const processes = await Promise.all(
    Array.from({ length: rivals }, () => startTestProgram(t, 'lease-rival.ts', dataDir)),
  )
  const all = (message: object) => Promise.all(processes.map((one) => one.ask<Held>(message)))
  let fence = 0
  for (let round = 0; round < rounds({ once: 20, soak: 1_000 }); round++) {
    // In the first of two rounds the lease does not exist yet; in the second it was released.
    const held = await all({ take: `lease ${round >> 1}` })
    const fences = held.map((rival) => rival.fence).filter((taken) => taken !== null)
    fence = round % 2 === 0 ? 1 : fence + 1
    if (fences.length !== 1 || fences[0] !== fence) return t.fail(`round ${round}: ${JSON.stringify(fences)}`)
    await all({})
  }
  t.pass()
})
