import type { Client } from '#client/src/client.ts'
import type { ListdError } from '#client/src/error.ts'
import { RawJson } from '#client/src/json.ts'

/** Most operations and characters of one request. They are below the limits of the API, so that the user sees progress. */
const most = { items: 500, characters: 2_000_000 }

/** Splits items into batches. Each batch is added completely or not at all. */
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
  /** The number of items that earlier calls have added, in complete batches. */
  added: number
  /** A call with the same key does not add a batch again that was added although no response arrived. */
  key: string
  onAdded(added: number): void
}

/**
 * Adds items to a list, each as it was written.
 * @param items JSON texts
 * @throws ListdError when a batch is rejected; that batch and the later ones are not added
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

/** The error of an item, as a sentence with its number. @param added number of items before the rejected batch */
export function itemError({ message, details }: ListdError, added: number): string {
  if (details?.operation === undefined) return message
  const [first] = details.errors ?? []
  const what = first ? `${first.pointer || 'its data'} ${first.message}` : message
  return `Item ${added + details.operation + 1}: ${what}`
}
