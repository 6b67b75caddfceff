import type { Client } from '#client/src/client.ts'
import type { ListdError } from '#client/src/error.ts'
import { RawJson } from '#client/src/json.ts'

/** Of one request: fewer operations and characters than it may have, so that somebody who waits sees progress. */
const most = { items: 500, characters: 2_000_000 }

/** Items in batches, each of which is added as a whole or not at all. */
export function batchesOf(items: readonly string[]): string[][] {
  const batches: string[][] = []
  let characters = Number.POSITIVE_INFINITY
  for (const item of items) {
    const last = batches.at(-1)
    characters += item.length
    if (last && last.length < most.items && characters <= most.characters) last.push(item)
    else {
      batches.push([item])
      characters = item.length
    }
  }
  return batches
}

type Adding = {
  /** How many of the items earlier calls have added: whole batches. */
  added: number
  /** A call with the same key adds nothing again that was added already without an answer. */
  key: string
  onAdded(added: number): void
}

/**
 * Adds items to a list, each as it was written.
 * @param items JSON texts
 * @throws ListdError, from the batch that was rejected on nothing is added
 */
export async function addItems(
  client: Pick<Client, 'list'>,
  list: string,
  items: readonly string[],
  { added, key, onAdded }: Adding,
): Promise<void> {
  let before = 0
  for (const batch of batchesOf(items)) {
    const from = before
    before += batch.length
    if (from < added) continue
    const operations = batch.map((text) => ({ op: 'create' as const, data: new RawJson(text) }))
    await client.list(list).batch(operations, { idempotencyKey: `${key}-${from}`, includeData: false })
    onAdded(before)
  }
}

/** What was wrong with which item, in sentences. @param added how many came before the batch that was rejected */
export function itemError({ message, details }: ListdError, added: number): string {
  if (details?.operation === undefined) return message
  const [first] = details.errors ?? []
  const what = first ? `${first.pointer || 'its data'} ${first.message}` : message
  return `Item ${added + details.operation + 1}: ${what}`
}
