import { signal } from '@preact/signals'

/** Whether the page is told of what changes in lists: then it has nothing to ask for at intervals. */
export const isHinted = signal(false)
