import type { Webhook } from '../../../../client/src/user-resources.ts'
import { readEntries } from './entry-lines.ts'

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
  const read = readEntries(text, 'list/index = filter', (line) => {
    const [, list, index, filter] = /^\s*([\w-]+)\s*\/\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    const name = `${list}/${index}`
    return list && index && filter ? { name, key: name, list, index, filter } : null
  })
  if ('problem' in read) return read
  const lists = [...Map.groupBy(read.entries, ({ list }) => list)].map(([list, filters]) => {
    return [list, Object.fromEntries(filters.map(({ index, filter }) => [index, filter]))]
  })
  return { where: Object.fromEntries(lists) }
}
