import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { withoutValue } from '#shared/domain/item/filters.ts'
import { readNegation } from '#shared/domain/item/questions/negation.ts'

/** The conditions of a rule on items and updates, as the end of a sentence; null: it has none. */
export function conditionWordsOf({ mode, where, becomes, changes }: PermissionRule): string | null {
  const only = mode === 'block' ? 'if one of' : 'only'
  const parts = [
    ...(where ? [`where ${whereWords(where)}`] : []),
    ...(becomes ? [`afterwards ${whereWords(becomes)}`] : []),
    ...(changes ? [`${only} ${changes.map((entry) => entry || 'all data').join(', ')}`] : []),
  ]
  return parts.length > 0 ? parts.join('; ') : null
}

/** Conditions in words, for indexes of any type. */
export function whereWords(where: object): string {
  return Object.entries(where)
    .map(([name, value]) => entryWords(name, value))
    .join(' and ')
}

function entryWords(name: string, value: unknown): string {
  if (name === 'not') return `not (${whereWords(Object(value))})`
  if (name === 'or' || name === 'and') {
    return `(${[value]
      .flat()
      .map((one) => whereWords(Object(one)))
      .join(` ${name} `)})`
  }
  return [value]
    .flat()
    .map((one) => leafWords(name, String(one)))
    .join(' and ')
}

function leafWords(name: string, source: string): string {
  const { isNot, rest } = readNegation(source)
  const prefix = rest.slice(0, Math.max(rest.indexOf(':'), 0))
  const words = prefixWords[prefix]
  const said =
    rest === withoutValue ? 'has no value' : words ? `${words} ${rest.slice(prefix.length + 1)}` : `has ${rest}`
  return isNot ? `not (${name} ${said})` : `${name} ${said}`
}

const prefixWords: Readonly<Record<string, string>> = {
  eq: 'is', in: 'is one of', starts: 'begins with', on: 'is on',
  lt: 'is below', lte: 'is at most', before: 'is until', gt: 'is above', gte: 'is at least', after: 'is from',
} // biome-ignore format: a table
