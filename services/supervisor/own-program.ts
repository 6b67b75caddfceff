import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'

/** Whether this is the self-contained executable, not the source. */
export const isExecutable = isSea()

/**
 * The program and first arguments with which this process runs other commands of the same listd. The link leads to the running
 * executable, even if its file was removed or replaced by another version.
 */
export const ownProgram: readonly [string, ...string[]] = isExecutable
  ? ['/proc/self/exe']
  : [process.execPath, fileURLToPath(new URL('./main.ts', import.meta.url))]
