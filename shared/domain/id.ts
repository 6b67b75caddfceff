/** The form of an id, as the rule of a field. */
export const idRule = {
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  format: 'uuid',
  message: 'must be an id (a lower-case UUID)',
} as const
const id = new RegExp(idRule.pattern)

/** Whether the text has the form of an id: a lower-case UUID (contract 1.1). Only such text is looked up as an id. */
export function isId(text: string): boolean {
  return id.test(text)
}

const longestTime = 2 ** 48 - 1

/** The millisecond in which an id was created; ids of version 7 begin with it. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** Text that sorts before every id of this millisecond or later, and after every earlier id. */
export function firstIdAt(time: number): string {
  const digits = Math.min(Math.max(0, time), longestTime).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}
