import type { Item } from '#client/src/types/resources.ts'
import { compact } from '#shared/json/text/layout.ts'
import { membersOf } from '#shared/json/text/parts.ts'

/** An item whose data is a text: compact JSON, which nobody has parsed and printed. */
export type ItemText = Omit<Item<never>, 'data'> & { data: string }

/** An item of the API's answer. @param text the answer as it came */
export function readItem(text: string): ItemText {
  const members = membersOf(compact(text))
  const rest = [...members].filter(([key]) => key !== 'data').map(([, { keyText, value }]) => `${keyText}:${value}`)
  return { ...JSON.parse(`{${rest.join()}}`), data: members.get('data')?.value ?? 'null' }
}
