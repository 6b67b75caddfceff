import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'

/** Whether this is the executable, with everything inside, and not the source. */
export const isExecutable = isSea()

/**
 * The program, and its first arguments, by which this process runs other commands of the same listd. The link leads to the
 * executable that runs, also when its file has been replaced by another version or removed.
 */
export const ownProgram: readonly [string, ...string[]] = isExecutable
  ? ['/proc/self/exe']
  : [process.execPath, fileURLToPath(new URL('./main.ts', import.meta.url))]
