import { elementsOf, membersOf } from '#shared/json/text/parts.ts'

const naming = /^(title|name|displayName|label|subject|headline|slug|id)$/i
const longest = 60

/** An object or array in a few words: the member that names it, or its first text or number. @param text compact JSON */
export function summaryOf(text: string): string {
  if (text.startsWith('[')) return cut(elementsOf(text).filter(isPlain).map(plain).join(', '))
  if (!text.startsWith('{')) return cut(plain(text))
  const members = [...membersOf(text)].filter(([, { value }]) => isPlain(value))
  const found = members.find(([name]) => naming.test(name)) ?? members[0]
  return found ? cut(plain(found[1].value)) : ''
}

const isPlain = (value: string) => /^["\d-]/.test(value) && value !== '""'
const plain = (value: string) => (value.startsWith('"') ? (JSON.parse(value) as string) : value)
const cut = (text: string) => (text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text)
