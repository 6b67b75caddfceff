import { setTimeout as delay } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'

/** What something prints that runs for a test, or for all tests of a file. */
type Log = { name: string; lines(): readonly string[] }

const maxLines = 40
const maxSerious = 20
const maxCharacters = 500
/** Services gather lines for a moment: those about what has just failed are still to come. */
const lastLinesMs = 200

/** Logs of what runs now. */
const open = new Set<Log>()

/**
 * Shows the end of a log next to its test when that fails; said behind the teardown that ends what writes it. What belongs
 * to a whole file is shown by `showAllOnFailure`.
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

/** Shows the logs of all that still runs when a test has failed: `test.afterEach.always(showAllOnFailure)`. */
export async function showAllOnFailure(t: ExecutionContext): Promise<void> {
  if (t.passed) return
  await delay(lastLinesMs)
  for (const log of open) t.log(excerpt(log))
}

// Ava ends test processes in which nothing happens for long, and those of an interrupted run, without their teardowns.
process.once('SIGTERM', () => {
  for (const log of open) process.stderr.write(`    ℹ ${excerpt(log).replaceAll('\n', '\n      ')}\n`)
  // Only so the event comes at which others kill what they have started.
  process.exit(143)
})

/** The last lines, and the last warnings and errors also when they lie further back. */
function excerpt({ name, lines }: Log): string {
  const all = lines().flatMap((line, n) => (line.trim() === '' ? [] : [{ n, line: line.trimEnd() }]))
  const serious = all.filter(({ line }) => isSerious(line)).slice(-maxSerious)
  const others = all.filter((one) => !serious.includes(one)).slice(serious.length - maxLines)
  const kept = [...serious, ...others].sort((a, b) => a.n - b.n)
  const title = `${name}: ${kept.length} of ${all.length} lines`
  return [title, ...kept.map(({ line }) => line.slice(0, maxCharacters))].join('\n')
}

/** A service's log is JSON; what else is printed was not meant to be. */
function isSerious(line: string): boolean {
  return !line.startsWith('{') || /^\{"level":"(warn|error|fatal)"/.test(line)
}
