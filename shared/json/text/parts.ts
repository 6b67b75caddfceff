import { arrayElements, objectMembers } from './offsets.ts'

/** The members of an object by key, in their order, as texts; `keyText` is the key as it is written, its quotes included. */
export type Members = ReadonlyMap<string, { keyText: string; value: string }>

/** @param text of an object: compact, valid JSON */
export function membersOf(text: string): Members {
  return new Map(
    objectMembers(text, 0).map(({ key, start, value, end }) => [
      key,
      { keyText: text.slice(start, value - 1), value: text.slice(value, end) },
    ]),
  )
}

/** The keys, as they are written, that another object has too: two objects with other texts of them differ in their keys. */
export function sharedKeys(members: Members, others: Members): string {
  return [...members].flatMap(([key, { keyText }]) => (others.has(key) ? [keyText] : [])).join()
}

/** The elements as texts. @param text of an array: compact, valid JSON */
export function elementsOf(text: string): string[] {
  return arrayElements(text, 0).map(({ start, end }) => text.slice(start, end))
}
