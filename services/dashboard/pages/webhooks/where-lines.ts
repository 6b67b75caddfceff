import type { Webhook } from '../../../../client/src/user-resources.ts'

type Where = Webhook['where']

/** Filters on index values as text, one a line: `recipes/minutes = lt:30`. */
export function whereLines(where: Where): string {
  const lines = Object.entries(where).flatMap(([list, filters]) =>
    Object.entries(filters).map(([index, filter]) => `${list}/${index} = ${filter}`),
  )
  return lines.join('\n')
}

/** The filters of such a text, or what is wrong with the first line that is none. */
export function readWhereLines(text: string): { where: Where } | { problem: string } {
  const lists = new Map<string, Map<string, string>>()
  for (const [n, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [, list, index, filter] = /^\s*([\w-]+)\s*\/\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (!list || !index || !filter) return { problem: `Line ${n + 1} is not "list/index = filter".` }
    const filters = lists.get(list) ?? new Map<string, string>()
    if (filters.has(index)) return { problem: `Line ${n + 1} names ${list}/${index} again.` }
    lists.set(list, filters.set(index, filter))
  }
  return { where: Object.fromEntries([...lists].map(([list, filters]) => [list, Object.fromEntries(filters)])) }
}
