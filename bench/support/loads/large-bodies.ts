import { itemData } from '../worlds/account.ts'

const mib = 1024 * 1024

/** 700,000 lists in a document: as many keys as fit. */
export function documentOfKeys(): string {
  return `{"lists":{${Array.from({ length: 700_000 }, (_, n) => `"${n.toString(36)}":0`).join()}}}`
}

/** A batch of 8 MiB of invalid operations. */
export function batchOfNothing(): string {
  return `{"operations":[${Array.from({ length: 2_790_000 }, () => '{}').join()}]}`
}

/** A body of just under 1 MiB with properties that no route knows. */
export function unknownProperties(): string {
  return `{${Array.from({ length: 118_000 }, (_, n) => `"${n}":0`)
    .join()
    .slice(0, mib - 100)
    .replace(/,[^,]*$/, '')}}`
}

/** A batch of 1,000 items of some kilobytes each. */
export function batchOfItems(mark: string, bytes: number): string {
  const operation = (n: number) => `{"op":"create","data":${itemData(`${mark}-${n}`, bytes)}}`
  return `{"operations":[${Array.from({ length: 1_000 }, (_, n) => operation(n)).join()}]}`
}

/** A document of as many lists as one may have, each with some indexes and a schema: some megabytes. */
export function documentOfLists(): string {
  const properties = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`field${n}`, { type: 'string', maxLength: n + 9 }]),
  )
  const indexes = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`by-${n}`, { pointer: `/field${n}` }]))
  const list = { description: 'One of many.', tags: ['bench'], schema: { type: 'object', properties }, indexes }
  return JSON.stringify({
    scope: 'large',
    lists: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`list-${n}`, list])),
  })
}
