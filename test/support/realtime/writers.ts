import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#client/src/client.ts'
import type { BatchOperation } from '#client/src/types/resources.ts'
import type { Teardown } from '../test-context/teardown.ts'

export type Writing = { list: string; random: () => number; atOnce: number }

const names = ['soup', 'stew', 'pie', 'tea', 'rice', 'Ärger']

/**
 * Several writers that create, change, hide, tag and delete items of a list, the same items at the same time.
 * @returns a promise for when so many more changes are acknowledged; a failed change is followed by another one, and may have been
 * applied
 */
export function createWriters(
  t: Teardown,
  client: Client,
  { list, random, atOnce }: Writing,
): (count: number) => Promise<void> {
  const items = client.list(list)
  const ids: string[] = []
  let [n, isOver] = [0, false]
  t.teardown(() => (isOver = true))
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T
  const data = () => ({ n: ++n % 50, title: `${pick(names)} ${n % 7}`, status: pick(['public', 'private']) })

  async function change(): Promise<void> {
    const chance = random()
    const id = pick(ids)
    if (ids.length < 5 || chance < 0.2) {
      ids.push((await items.create({ data: data() })).id)
    } else if (chance < 0.25) {
      const operations = Array.from({ length: 5 }, (): BatchOperation<unknown> => ({ op: 'create', data: data() }))
      const { results } = await items.batch(operations)
      ids.push(...results.map(({ item }) => item.id))
    } else if (chance < 0.3) {
      await items.delete(id)
      ids.splice(ids.indexOf(id), 1)
    } else if (chance < 0.4) {
      await items.update(id, { activated: random() < 0.5 })
    } else if (chance < 0.5) {
      await items.update(id, { tags: [pick(names)] })
    } else {
      await items.merge(id, data())
    }
  }

  return async (count) => {
    let left = count
    const writeOn = async () => {
      while (left-- > 0 && !isOver) {
        await change().catch(async () => {
          left++
          await pause(5)
        })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, writeOn))
  }
}
