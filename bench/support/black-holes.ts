import type { BenchWebhook } from './account.ts'
import { startProgram } from './program.ts'
import { untilNothingHangs } from './queues.ts'
import type { WebhookWorld } from './webhook-world.ts'

export type BlackHoles = {
  /** Lets events come to them, or no more; resolves when no attempt hangs any longer. */
  setActive(activated: boolean): Promise<void>
  /** Requests that they have swallowed so far. */
  swallowed(): Promise<number>
  [Symbol.asyncDispose](): Promise<void>
}

/** A url is tried when its webhook is made, and only so many at once. */
const atOnce = 25

/** So many more webhooks for the lists of the world, in turn, at a server that takes requests and never answers; inactive yet. */
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
