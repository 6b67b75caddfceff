import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { parse } from '#client/src/json.ts'
import { readSyncInput, writeSavedPlan } from '#services/supervisor/remote/schema/saved-plan.ts'
import { testFolder } from '../../../../support/test-context/folder.ts'

const flags = { prune: true, allowRebuild: false, allowDestructive: true }
const none = { prune: false, allowRebuild: false, allowDestructive: false }
const source = '{"scope":"a","lists":{"x":{"schema":{"maximum":12345678901234567890}}}}'

async function saved(t: Parameters<typeof testFolder>[0]): Promise<string> {
  const file = join(await testFolder(t), 'plan.json')
  const document = parse(source) as { lists: Record<string, object> }
  await writeSavedPlan(file, { document, flags, planHash: 'abc' })
  return file
}

test('a saved plan is read with its options and its hash, and its numbers unchanged', async (t) => {
  const file = await saved(t)
  const { document, ...rest } = await readSyncInput(file, none)
  t.deepEqual(rest, { flags, planHash: 'abc' })
  t.is(JSON.stringify(document), source)
})

test('a saved plan that was changed is rejected, but not one that was only indented', async (t) => {
  const file = await saved(t)
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replaceAll(/\n */g, ' '))
  await t.notThrowsAsync(readSyncInput(file, none))
  for (const [before, after] of [
    ['"prune": true', '"prune": false'],
    ['"abc"', '"abd"'],
    ['"x"', '"y"'],
    ['567890', '567891'],
  ] as const) {
    await writeFile(file, text.replace(before, after))
    await t.throwsAsync(readSyncInput(file, none), { message: /was changed since it was planned/ }, after)
  }
})

test('a saved plan accepts no other options, and one of another version is rejected', async (t) => {
  const file = await saved(t)
  await t.throwsAsync(readSyncInput(file, { ...none, prune: true }), { message: /has its own options/ })
  await writeFile(file, (await readFile(file, 'utf8')).replace('"listdPlan": 1', '"listdPlan": 2'))
  await t.throwsAsync(readSyncInput(file, none), { message: /another version/ })
})
