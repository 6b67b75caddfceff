#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Before any other import: the cache halves the time until listd is ready. It is not used if it cannot be written.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/listd'))
// Only the owner may read files created in the data directory, regardless of the umask of the shell.
process.umask(0o077)

// The reader of the output may close it early, as `head` does.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

const { run } = await import('./program.ts')
await run(process.argv.slice(2), process)
// After a failure, open handles must not keep the process running.
if (process.exitCode) process.exit()
