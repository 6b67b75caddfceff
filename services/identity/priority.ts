import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lets every other process go first: hashing takes all the CPU it gets. On Linux a priority belongs to a thread, and
 * those that hash have been started before this runs, so each is lowered by itself.
 */
export function lowerPriority(): void {
  for (const thread of threads()) setPriority(thread, constants.priority.PRIORITY_LOW)
}

/** 0 is this process, on systems that do not list their threads. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return [0]
  }
}
