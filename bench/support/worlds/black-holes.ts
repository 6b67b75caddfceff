import { startProgram } from '../programs/program.ts'
import type { BenchWebhook } from './account.ts'
import { untilNothingHangs } from './queues.ts'
import type { WebhookWorld } from './webhook-world.ts'

export type BlackHoles = {
  /** Activates or deactivates them; after a deactivation, resolves when no attempt is open any longer. */
  setActive(activated: boolean): Promise<void>
  /** How many requests they have accepted so far. */
  swallowed(): Promise<number>
  [Symbol.asyncDispose](): Promise<void>
}

/** A URL is probed when its webhook is created, and the number of concurrent probes is limited. */
const atOnce = 25

/** Adds inactive webhooks to the lists of the world in rotation, at a server that accepts requests and never answers. */
export async function startBlackHoles(world: WebhookWorld, count: number): Promise<BlackHoles> {
  const { account, lists, listd } = world
  const program = await startProgram<{ port: number }>('black-hole-process.ts', world.receiver.issue())
  const url = `https://127.0.0.1:${program.ready.port}/hook`
  const holes: BenchWebhook[] = []

  async function setActive(activated: boolean): Promise<void> {
    await inGroups(holes, (hole) => account.setActive(hole, activated))
    if (!activated) await untilNothingHangs(listd.dataDir)
  }

  await inGroups(
    Array.from({ length: count }, (_, n) => lists[n % lists.length]?.id ?? ''),
    async (listId) => void holes.push(await account.makeWebhook({ url, listIds: [listId] })),
  )
  await setActive(false)
  return { setActive, swallowed: () => program.ask<number>(null), [Symbol.asyncDispose]: program[Symbol.asyncDispose] }
}

async function inGroups<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < all.length; start += atOnce) await Promise.all(all.slice(start, start + atOnce).map(work))
}
