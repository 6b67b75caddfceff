import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createFailures } from './reports/failures.ts'
import type { Progress } from './reports/progress.ts'
import { readReports } from './reports/read-reports.ts'
import type { Report } from './reports/reports.ts'
import type { RoomRun } from './room.ts'
import { writeRoomFiles } from './room-files.ts'

const root = join(import.meta.dirname, '../../..')
const ava = join(root, 'node_modules/ava/entrypoints/cli.js')

/**
 * For the processes of tests. When V8 13.6 frees compiled WebAssembly, one of its checks fails occasionally
 * ("jit_page_->allocations_.erase(addr) == 1"), and the process ends with SIGTRAP. `fetch` and the removal of types are WebAssembly;
 * listd's services use neither.
 */
const forNode = '--node-arguments=--no-wasm-code-gc'

type RunOptions = {
  /** Arguments for ava. */
  args: readonly string[]
  concurrency: number
  signal: AbortSignal
  progress: Progress
  /** Shows ava's output immediately, not only failures. */
  verbose: boolean
}

/** `failed`: logs, ava's explanations, and at the end a line for each test; empty when all passed. */
export type RunOutcome = { reports: readonly Report[]; failed: readonly string[] }

/** Runs rooms, in their order, several at a time. */
export async function runRooms(rooms: readonly RoomRun[], options: RunOptions): Promise<RunOutcome> {
  const { args, concurrency, signal, progress, verbose } = options
  if (signal.aborted) return { reports: [], failed: ['stopped by a signal'] }
  const reports = readReports(progress.hear)
  const files = writeRoomFiles(rooms)
  const child = spawn(process.execPath, [ava, forNode, `--concurrency=${concurrency}`, ...files.paths, ...args], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tests'), ...process.env, ...reports.settings },
  })
  const failures = createFailures((line) => progress.say(line))
  for (const stream of [child.stdout, child.stderr]) failures.read(stream, { verbose })
  const code = await endOf(child, signal)
  files.remove()
  const reported = failures.reported()
  return {
    reports: reports.end(),
    failed: code === 0 ? [] : reported.length > 0 ? reported : [`ava ended with ${code}`],
  }
}

async function endOf(child: ChildProcess, signal: AbortSignal): Promise<number | null> {
  const interrupt = () => void child.kill('SIGINT')
  signal.addEventListener('abort', interrupt)
  const [code] = await once(child, 'close')
  signal.removeEventListener('abort', interrupt)
  return code
}
