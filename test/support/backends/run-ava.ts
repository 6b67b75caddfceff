import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'

const root = join(import.meta.dirname, '../../..')
const ava = join(root, 'node_modules/ava/entrypoints/cli.js')

/** Lines of explanation that are repeated. */
const maxExplained = 30

/** A line of a stack that lies outside this project. */
const foreignFrame = /^ +at .*(node_modules|node:)/

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
  const cache = join(root, 'node_modules/.cache/tests')
  const child = spawn(process.execPath, [ava, `--concurrency=${concurrency}`, ...args], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'inherit'],
    env: { NODE_COMPILE_CACHE: cache, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...process.env, ...settings },
  })
  child.stdout.pipe(process.stdout, { end: false })
  const failed: string[] = []
  const explained: string[] = []
  let explains = false
  createInterface(child.stdout).on('line', (coloured) => {
    const line = stripVTControlCharacters(coloured)
    const [, what] = /^ +✘ (?:\[fail\]: )?(.*)/.exec(line) ?? []
    if (what) failed.push(what)
    if (line.trim() === '─') explains = !explains
    else if (explains && line.trim() !== '' && !foreignFrame.test(line)) explained.push(line)
  })
  const interrupt = () => void child.kill('SIGINT')
  signal.addEventListener('abort', interrupt)
  const [code] = await once(child, 'close')
  signal.removeEventListener('abort', interrupt)
  if (code === 0) return []
  return [...(failed.length > 0 ? failed : [`ava ended with ${code}`]), ...explained.slice(0, maxExplained)]
}
