import type { DrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'

/** The entry of a flow, read from the text of its document, such as "POST /flows/cards/vote"; null: the text has none. */
export function entryWordsIn(text: string, { entry }: DrawnFlow): string | null {
  if (!entry) return null
  try {
    const { method = 'POST', path } = JSON.parse(text.slice(entry.from, entry.to))
    return `${method} /flows/${path ?? '…'}`
  } catch {
    return null
  }
}
