import { readFileSync } from 'node:fs'
import test from 'ava'
import { logEvents } from '#shared/log/events.ts'

/** The table that docs/logging.md must contain: a line for each event, in the order of the code. */
const expectedTable = Object.entries(logEvents).map(([name, event]) => {
  const action = 'action' in event ? event.action : ''
  return `| \`${name}\` | ${event.level} | ${event.meaning} | ${action} |`
})

test('docs/logging.md lists every event with its level, its meaning and what to do', (t) => {
  const lines = readFileSync(new URL('../../../docs/logging.md', import.meta.url), 'utf8').split('\n')
  t.deepEqual(
    lines.filter((line) => /^\| `\w+\.\w+` \|/.test(line)),
    expectedTable,
  )
})
