import { inspect } from 'node:util'

/**
 * Waits until something holds, looking often. What `look` gives instead of true is what is still missing: the last of it
 * is in the error that comes after `withinMs`. `until(() => sent.length === 3 || sent)` shows what was sent.
 */
export async function until(look: () => unknown, { withinMs = 60_000, what = textOf(look) } = {}): Promise<void> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen === true) return
    if (performance.now() > giveUpAt) throw new Error(`Waited ${withinMs} ms for: ${what}${lastSeen(seen)}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** What is waited for, where nobody says it in words. */
function textOf(look: () => unknown): string {
  return String(look).replace(/^(async )?\(\) => /, '')
}

function lastSeen(seen: unknown): string {
  if (seen === false) return ''
  return `\nLast seen: ${typeof seen === 'string' ? seen : inspect(seen, { maxArrayLength: 10, maxStringLength: 500 })}`
}
