import { parse, stringify } from '#client/src/json.ts'
import type { Webhook, WebhookConditions } from '#client/src/types/user-resources.ts'
import { isObject } from '#shared/json/is-object.ts'
import { readEntries } from './entry-lines.ts'

type Where = Webhook['where']

/**
 * Prints filters on fields and index values as text, one per line: `recipes/minutes = lt:30`, `recipes/activated = true`. Conditions that are
 * not combined by "and" are a line with JSON: `recipes = {"or": [{"minutes": "lt:30"}, {"title": "soup"}]}`.
 */
export function whereLines(where: Where): string {
  const lines = Object.entries(where).flatMap(([list, conditions]) => {
    const entries = Object.entries(conditions)
    if (!entries.every(isLine)) return `${list} = ${stringify(conditions)}`
    return entries.map(([index, filter]) => `${list}/${index} = ${filter}`)
  })
  return lines.join('\n')
}

/** Whether a condition can be a line: its value is a text, and its name has the form of a path name. */
function isLine([name, filter]: [string, unknown]): boolean {
  return typeof filter === 'string' && isPathName.test(name)
}
const isPathName = /^[\w-]+$/

/** Reads the filters of such a text, or the problem of the first invalid line. */
export function readWhereLines(text: string): { where: Where } | { problem: string } {
  const read = readEntries(text, 'list/index = filter', (line) => readCombined(line) ?? readFilter(line))
  if ('problem' in read) return read
  const { entries } = read
  const combined = entries.find(
    ({ key, list }) => key === list && entries.some((one) => one.list === list && one.key !== key),
  )
  if (combined) return { problem: `The line "${combined.list} = {…}" must contain all filters of its list.` }
  const lists = [...Map.groupBy(entries, ({ list }) => list)].map(([list, lines]) => {
    return [list, Object.assign({}, ...lines.map(({ conditions }) => conditions))]
  })
  return { where: Object.fromEntries(lists) }
}

type Line = { name: string; key: string; list: string; conditions: WebhookConditions }

function readFilter(line: string): Line | null {
  const [, list, index, filter] = /^\s*([\w-]+)\s*\/\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
  const name = `${list}/${index}`
  return list && index && filter ? { name, key: name, list, conditions: { [index]: filter } } : null
}

function readCombined(line: string): Line | null {
  const [, list, text] = /^\s*([\w-]+)\s*=\s*(\{.*\})\s*$/.exec(line) ?? []
  const conditions = text === undefined ? null : parsed(text)
  return list && isObject(conditions)
    ? { name: list, key: list, list, conditions: conditions as WebhookConditions }
    : null
}

/** @returns undefined if the text is not valid JSON */
function parsed(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
