import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Run once by setup: without it the very first start compiles everything in four processes at once, and takes twice as long.
const root = join(import.meta.dirname, '..')
enableCompileCache(join(root, 'node_modules/.cache/listd'))

const started = ['gateway/main', 'identity/main', 'webhook-dispatcher/main', 'supervisor/program']
const commands = ['start', 'migrate', 'service'].map((name) => `supervisor/commands/${name}`)
for (const name of [...started, ...commands]) await import(join(root, `services/${name}.ts`))
// What they loaded may hold the event loop open; leaving writes the cache.
process.exit(0)
