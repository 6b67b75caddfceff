import { setTimeout as delay } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'

/** The output of a process that runs for a test, or for all tests of a file. */
type Log = { name: string; lines(): readonly string[] }

const maxLines = 40
const maxSerious = 20
const maxCharacters = 500
/** Services gather lines for a moment: those about a recent failure may still arrive. */
const lastLinesMs = 200

/** Logs of the currently running processes. */
const open = new Set<Log>()

/**
 * Shows the end of a log next to its test when the test fails; call it after registering the teardown that ends the writer.
 * `showAllOnFailure` shows logs of a whole file.
 */
export function showOnFailure(
  t: ExecutionContext | Pick<ExecutionContext, 'teardown'>,
  name: string,
  lines: Log['lines'],
): void {
  const log = { name, lines }
  open.add(log)
  t.teardown(async () => {
    open.delete(log)
    if (!('passed' in t) || t.passed) return
    await delay(lastLinesMs)
    t.log(excerpt(log))
  })
}

/** Shows the logs of everything that still runs when a test has failed: `test.afterEach.always(showAllOnFailure)`. */
export async function showAllOnFailure(t: ExecutionContext): Promise<void> {
  if (t.passed) return
  await delay(lastLinesMs)
  for (const log of open) t.log(excerpt(log))
}

// Ava ends idle test processes, and those of an interrupted run, without their teardowns.
process.once('SIGTERM', () => {
  for (const log of open) process.stderr.write(`    ℹ ${excerpt(log).replaceAll('\n', '\n      ')}\n`)
  // Only this emits the event on which other modules kill what they have started.
  process.exit(143)
})

/** The last lines, and the last warnings and errors even if they are further back. */
function excerpt({ name, lines }: Log): string {
  const all = lines().flatMap((line, n) => (line.trim() === '' ? [] : [{ n, line: line.trimEnd() }]))
  const serious = all.filter(({ line }) => isSerious(line)).slice(-maxSerious)
  const others = all.filter((one) => !serious.includes(one)).slice(serious.length - maxLines)
  const kept = [...serious, ...others].sort((a, b) => a.n - b.n)
  const title = `${name}: ${kept.length} of ${all.length} lines`
  return [title, ...kept.map(({ line }) => line.slice(0, maxCharacters))].join('\n')
}

/** A service's log is JSON; other output was unintended. */
function isSerious(line: string): boolean {
  return !line.startsWith('{') || /^\{"level":"(warn|error|fatal)"/.test(line)
}
