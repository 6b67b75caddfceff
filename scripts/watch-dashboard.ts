import { readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { build } from '../services/dashboard/build.ts'

const root = join(import.meta.dirname, '..')
const dashboard = 'services/dashboard'
/** Code outside the dashboard that the page may import. */
const others = ['shared/domain', 'shared/json', 'shared/json-schema', 'shared/net', 'client/src']
/** Editors save in several steps. */
const settleMs = 50

let waiting: NodeJS.Timeout | undefined

function buildSoon(): void {
  clearTimeout(waiting)
  waiting = setTimeout(rebuild, settleMs)
}

function rebuild(): void {
  const begunAt = performance.now()
  try {
    const { files } = build()
    const bytes = Object.values(files).reduce((sum, { gzipBytes }) => sum + gzipBytes, 0)
    const report = `${bytes.toLocaleString('en')} bytes compressed, in ${Math.round(performance.now() - begunAt)} ms`
    process.stdout.write(`built the dashboard: ${report}\n`)
  } catch {
    // esbuild has already reported where and why.
    process.stdout.write('the dashboard was not changed\n')
  }
}

const rooms = readdirSync(join(root, dashboard), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  .map(({ name }) => join(dashboard, name))
for (const folder of [...rooms, ...others]) watch(join(root, folder), { recursive: true }, buildSoon)
watch(join(root, dashboard), buildSoon)
process.stdout.write('watching the sources of the dashboard\n')
