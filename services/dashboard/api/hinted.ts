import { signal } from '@preact/signals'

/** Whether the page receives hints of changes in lists. It does not poll then. */
export const isHinted = signal(false)

/** How often something in progress is polled although hints report it, because a hint may be lost. */
const hintedMs = 60_000

/** The interval of polling, in milliseconds. @param everyMs the interval without hints */
export const pollMs = (everyMs: number) => (isHinted.value ? hintedMs : everyMs)
