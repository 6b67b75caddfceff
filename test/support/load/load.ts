import { setTimeout as delay } from 'node:timers/promises'
import { createItem, type Scene } from '../webhooks/scene.ts'

export type Load = {
  /** Ids of the acknowledged items, or of other acknowledged work. */
  acknowledged: string[]
  /** Creations that were rejected or whose response was lost. */
  failures(): number
  stop(): Promise<void>
}

/**
 * Creates items, `atOnce` at a time, until it is stopped; a failure only counts, as a client would try again later.
 * @param options.create replaces the creation of an item, until it is acknowledged
 * @param options.ahead it waits while this many deliveries are not received yet: a webhook gets them one by one, at a speed that
 * depends on the machine
 */
export function keepCreating(scene: Scene, { create = () => createItem(scene), atOnce = 8, ahead = 500 } = {}): Load {
  const acknowledged: string[] = []
  const already = scene.receiver.requests.length
  let failures = 0
  let stopped = false

  async function keepOn(): Promise<void> {
    while (!stopped) {
      const toCome = acknowledged.length * scene.webhooks.length - (scene.receiver.requests.length - already)
      if (toCome >= ahead) {
        await delay(5)
        continue
      }
      try {
        acknowledged.push(await create())
      } catch {
        failures++
        await delay(5)
      }
    }
  }

  const workers = Array.from({ length: atOnce }, keepOn)
  return {
    acknowledged,
    failures: () => failures,
    async stop() {
      stopped = true
      await Promise.all(workers)
    },
  }
}
