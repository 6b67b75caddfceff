import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { nameDurably, renameDurably } from '#shared/files/rename-durably.ts'
import { testFolder } from '../../support/test-context/folder.ts'

test('a file gets its name by replacing another, or only if no file has it', async (t) => {
  const folder = await testFolder(t)
  const [draft, path] = [join(folder, 'draft'), join(folder, 'file')]
  await writeFile(draft, 'first')
  await nameDurably(draft, path)
  t.deepEqual(await readdir(folder), ['file'])
  await writeFile(draft, 'second')
  await t.throwsAsync(nameDurably(draft, path), { code: 'EEXIST' })
  t.is(await readFile(path, 'utf8'), 'first')
  await renameDurably(draft, path)
  t.is(await readFile(path, 'utf8'), 'second')
})
