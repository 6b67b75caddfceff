import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const ava = join(root, 'node_modules/ava/entrypoints/cli.js')

/**
 * Runs test files, two at a time or one, what they say going to the terminal.
 * @param settings added to the environment
 * @returns whether all passed; false as well when the signal ended it
 */
export async function runAva(
  args: readonly string[],
  {
    settings,
    signal,
    concurrency = 2,
  }: { settings: Record<string, string>; signal: AbortSignal; concurrency?: number },
): Promise<boolean> {
  if (signal.aborted) return false
  const cache = join(root, 'node_modules/.cache/tests')
  const child = spawn(process.execPath, [ava, `--concurrency=${concurrency}`, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: cache, ...process.env, ...settings },
  })
  const interrupt = () => void child.kill('SIGINT')
  signal.addEventListener('abort', interrupt)
  const [code] = await once(child, 'exit')
  signal.removeEventListener('abort', interrupt)
  return code === 0
}
