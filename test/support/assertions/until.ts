import { inspect } from 'node:util'

/**
 * Waits until a condition is met, by checking often. A value of `look` other than true describes what is missing: the error that is
 * thrown after `withinMs` contains the last one. `until(() => sent.length === 3 || sent)` shows what was sent.
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

/** A description of the condition, if the caller gives none. */
function textOf(look: () => unknown): string {
  return String(look).replace(/^(async )?\(\) => /, '')
}

function lastSeen(seen: unknown): string {
  if (seen === false) return ''
  return `\nLast seen: ${typeof seen === 'string' ? seen : inspect(seen, { maxArrayLength: 10, maxStringLength: 500 })}`
}
