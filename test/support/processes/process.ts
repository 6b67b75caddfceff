import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import type { ExecutionContext } from 'ava'
import { until } from '../assertions/until.ts'
import { showOnFailure } from '../test-context/failure-log.ts'

/** A process of a test: what it has printed so far, and its end. */
export type TestProcess = {
  child: ChildProcess
  pid: number
  stdout(): string
  stderr(): string
  /** Waits until standard output or error has this. */
  printed(pattern: RegExp): Promise<void>
  /** Settles when it has ended and all its output was read. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts a program for one test and kills it, if it still runs, when the test ends. */
export function testProcess(
  t: ExecutionContext,
  command: readonly [string, ...string[]],
  options: SpawnOptions = {},
): TestProcess {
  const [program, ...args] = command
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk
    })
  }
  // Not the event `close`, which is never emitted if the channel was closed from this side.
  const drained = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'))
  const ended = once(child, 'exit').then(async ([code, signal]) => {
    await Promise.all(drained)
    return { code, signal }
  })
  const all = () => texts.stdout + texts.stderr
  t.teardown(() => child.kill('SIGKILL'))
  showOnFailure(t, command.map((part) => basename(part)).join(' '), () => all().split('\n'))
  return {
    child,
    pid: child.pid ?? 0,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    ended,
    printed: (pattern) => until(() => pattern.test(all()), { what: `${pattern} in the output` }),
  }
}
