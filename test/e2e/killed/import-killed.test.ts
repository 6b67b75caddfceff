import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { until } from '../../support/assertions/until.ts'
import { programOn } from '../../support/processes/command-line.ts'
import { type Listd, testListd } from '../../support/processes/listd.ts'
import { listdProgram } from '../../support/processes/listd-program.ts'
import { testFolder } from '../../support/test-context/folder.ts'

const rows = 5_000
const bad = new Map([
  [17, '{"n":"seventeen"}'],
  [1_234, '{"n":1234'],
  [4_999, '{"n":-1}'],
])

test('of 5,000 rows with 3 bad ones, killed in the middle and resumed, 4,997 become items, none of them twice', async (t) => {
  const listd = await testListd(t)
  const schema = { properties: { n: { type: 'integer', minimum: 0 } } }
  await listd.api('POST', '/lists', { body: { name: 'Numbers', schema } })
  const file = join(await testFolder(t), 'numbers.ndjson')
  const lines = Array.from({ length: rows }, (_, n) => bad.get(n) ?? `{"n":${n}}`)
  await writeFile(file, lines.join('\n'))
  const args = ['items', 'import', file, '--list', 'numbers', '--batch', '100']
  await killInTheMiddle(listd, args, `${file}.numbers.import.json`)

  const run = programOn(listd.dataDir)
  const env = remote(listd)
  const resumed = await run([...args, '--resume', '--json'], { env })
  const report = JSON.parse(resumed.stdout)
  t.like(report, { rows, refused: 3, exitCode: 9 }, resumed.stderr)
  // The rows that were sent last may have been created although the command received no answer.
  t.is(report.created + report.existing, 4_997)
  t.true(report.existing <= 100, resumed.stdout)
  t.is((await listd.api('GET', '/lists/numbers')).json.itemCount, 4_997)
  const rejected = (await readFile(`${file}.rejected.ndjson`, 'utf8')).trimEnd().split('\n')
  t.deepEqual(
    rejected.filter((line) => !line.startsWith('#import_error ')),
    [...bad.values()],
  )
  const again = await run([...args, '--json'], { env })
  t.like(JSON.parse(again.stdout), { rows, created: 0, existing: 4_997, refused: 3 }, again.stderr)

  const { stdout } = await run(['items', 'export', '--list', 'numbers'], { env })
  const numbers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).n)
  const expected = Array.from({ length: rows }, (_, n) => n).filter((n) => !bad.has(n))
  t.deepEqual(
    numbers.toSorted((a, b) => a - b),
    expected,
  )
})

const remote = ({ address, credentials }: Listd) => ({ LISTD_URL: address, LISTD_TOKEN: credentials.token })

/** Kills the command after it has processed some of the rows, as a crash would. */
async function killInTheMiddle(listd: Listd, args: string[], progress: string): Promise<void> {
  const child = spawn(listdProgram, args, {
    env: { ...process.env, ...remote(listd) },
    detached: true,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const rowsSoFar = async () =>
    JSON.parse(await readFile(progress, 'utf8').catch(() => '{"state":{"row":0}}')).state.row
  await until(async () => (await rowsSoFar()) >= 1_500, { what: 'the first rows' })
  process.kill(-(child.pid ?? Number.NaN), 'SIGKILL')
  const [, signal] = await ended
  if (signal !== 'SIGKILL') throw new Error('The import ended before it could be killed.')
}
