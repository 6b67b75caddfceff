import type { Index } from '#client/src/types/resources.ts'
import { parsePointer } from '#shared/json/pointer.ts'

type NamedIndex = Pick<Index, 'pathName' | 'pointer' | 'valueType' | 'alias' | 'guard'>

/** Path names that are looked up at most, for all indexes together. */
const mostNames = 100

/**
 * Guesses the lists that indexes refer to, by their names: an index on `/hostId`, or with the path name `host-ids`, may contain ids of the
 * list `host` or `hosts`. Returns possible path names by the pointer of the index. The guess is only for display.
 */
export function meantLists(indexes: readonly NamedIndex[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let left = mostNames
  for (const index of indexes) {
    const names = index.valueType === 'string' && !index.alias && !index.guard ? namesOf(index) : []
    if (names.length === 0 || names.length > left) continue
    found.set(index.pointer, names)
    left -= names.length
  }
  return found
}

function namesOf({ pathName, pointer }: NamedIndex): string[] {
  const called = [parsePointer(pointer)?.at(-1) ?? '', pathName].map(kebab)
  const stems = called.flatMap((name) => /^(.+)-ids?$/.exec(name)?.[1] ?? [])
  return [...new Set(stems.flatMap((stem) => [...pluralsOf(stem), stem].flatMap(withUnderscores)))]
}

const kebab = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()

function pluralsOf(stem: string): string[] {
  if (/[^aeiou]y$/.test(stem)) return [`${stem.slice(0, -1)}ies`]
  return [/(s|x|z|ch|sh)$/.test(stem) ? `${stem}es` : `${stem}s`]
}

const withUnderscores = (name: string) => (name.includes('-') ? [name, name.replaceAll('-', '_')] : [name])

/** The list that each pointer refers to, if it exists. @param there the path names of existing lists */
export function indexLists(
  meant: ReadonlyMap<string, readonly string[]>,
  there: readonly string[],
): Map<string, string> {
  const known = new Map(there.map((name) => [name.toLowerCase(), name]))
  return new Map(
    [...meant].flatMap(([pointer, names]) => {
      const list = names.map((name) => known.get(name)).find((name) => name !== undefined)
      return list === undefined ? [] : [[pointer, list] as const]
    }),
  )
}
