import { findAt } from '#shared/json/edit/at-pointer.ts'
import { membersOf } from '#shared/json/text/parts.ts'

/** The title of an item: the first naming member that is not empty, or its alias, or its id. */
export function titleOf({ id, data }: { id: string; data: string }, alias: string | null): string {
  const members = data.startsWith('{') ? membersOf(data) : new Map<string, { value: string }>()
  for (const key of naming) {
    const name = textOf(members.get(key)?.value)
    if (name?.trim()) return name.slice(0, longestTitle)
  }
  return alias ?? id
}

/** The members that may contain a title, in order of preference. */
export const naming = ['title', 'name', 'displayName', 'label', 'subject', 'headline']
const longestTitle = 120

/** The value at a pointer as an alias: a string, or the text of a number; null: there is no such value. */
export function aliasOf(data: string, pointer: string | undefined): string | null {
  if (pointer === undefined) return null
  const value = findAt(data, pointer)
  return value === null || /^[[{n]/.test(value) ? null : (textOf(value) ?? value)
}

function textOf(json: string | undefined): string | null {
  return json?.startsWith('"') ? (JSON.parse(json) as string) : null
}
