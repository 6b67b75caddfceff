import { signal } from '@preact/signals'

/** Whether the page gets hints of changes in lists: then it does not poll. */
export const isHinted = signal(false)

/** How often something in progress is asked for where hints tell of it: a message of theirs may be lost. */
const hintedMs = 60_000

/** How often it is asked for. @param everyMs without hints */
export const pollMs = (everyMs: number) => (isHinted.value ? hintedMs : everyMs)
