import type { Item } from '#client/src/types/resources.ts'
import { compact } from '#shared/json/text/layout.ts'
import { membersOf } from '#shared/json/text/parts.ts'

/** An item with its data as text: compact JSON, never parsed, so that numbers keep their digits. */
export type ItemText = Omit<Item<never>, 'data'> & { data: string }

/** Reads an item. @param text the body of the API's response */
export function readItem(text: string): ItemText {
  const members = membersOf(compact(text))
  const rest = [...members].filter(([key]) => key !== 'data').map(([, { keyText, value }]) => `${keyText}:${value}`)
  return { ...JSON.parse(`{${rest.join()}}`), data: members.get('data')?.value ?? 'null' }
}
