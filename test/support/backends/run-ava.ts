import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cpuSettings } from './cpu-of-files.ts'
import { createFailures } from './failures.ts'

const root = join(import.meta.dirname, '../../..')
const ava = join(root, 'node_modules/ava/entrypoints/cli.js')

/**
 * Runs test files, two at a time unless told otherwise, what they say going to the terminal.
 * @param settings added to the environment
 * @returns what failed, a line each, and then what ava explains of it; none when all passed
 */
export async function runAva(
  args: readonly string[],
  {
    settings,
    signal,
    concurrency = 2,
  }: { settings: Record<string, string>; signal: AbortSignal; concurrency?: number },
): Promise<string[]> {
  if (signal.aborted) return ['stopped by a signal']
  const own = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tests'), ...cpuSettings }
  const child = spawn(process.execPath, [ava, `--concurrency=${concurrency}`, ...args], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...own, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...process.env, ...settings },
  })
  const failures = createFailures()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].pipe(process[name], { end: false })
    failures.read(child[name])
  }
  const interrupt = () => void child.kill('SIGINT')
  signal.addEventListener('abort', interrupt)
  const [code] = await once(child, 'close')
  signal.removeEventListener('abort', interrupt)
  if (code === 0) return []
  const told = failures.told()
  return told.length > 0 ? told : [`ava ended with ${code}`]
}
