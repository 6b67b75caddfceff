import test from 'ava'
import { commandLine } from '../../../../support/processes/command-line.ts'

test('an index of parts of texts is built, reported by the doctor, and dropped', async (t) => {
  const { run } = await commandLine(t)
  const doctor = async () => {
    const { stdout } = await run(['doctor', '--json'], { env: { LISTD_GATEWAY_PORT: '0' } })
    return JSON.parse(stdout).find(({ check }: { check: string }) => check === 'parts of texts')?.message
  }
  await run(['migrate'])
  t.is(await doctor(), 'there is no index of them')
  const built = await run(['db', 'parts-index'])
  t.deepEqual([built.code, built.stdout], [0, ''], built.stderr)
  t.regex(built.stderr, /\nFilters for a part of a text use it from now on\.\n$/)
  t.is(await doctor(), 'there is an index of them')
  t.regex((await run(['db', 'parts-index'])).stderr, /^The index of parts of texts already exists\.\n$/)
  t.regex((await run(['db', 'parts-index', '--drop'])).stderr, /^Dropped the index of parts of texts\.\n$/)
  t.regex((await run(['db', 'parts-index', '--drop'])).stderr, /^There is no index of parts of texts\.\n$/)
  t.is(await doctor(), 'there is no index of them')
})
