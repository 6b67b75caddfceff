import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { makeFolder } from '#shared/files/make-folder.ts'
import { testFolder } from '../../support/test-context/folder.ts'

test('a folder is made with those above it, for its owner only, and one that is there stays', async (t) => {
  const path = join(await testFolder(t), 'a/b/c')
  await Promise.all([makeFolder(path), makeFolder(path)])
  t.is((await stat(path)).mode & 0o777, 0o700)
  await makeFolder(path)
})

test('a file in the way is named, and a system that has no folders to make is no reason to wait', async (t) => {
  const file = join(await testFolder(t), 'file')
  await writeFile(file, '')
  await t.throwsAsync(makeFolder(file), { message: `${file} is a file, and has to be a folder.` })
  await t.throwsAsync(makeFolder(join(file, 'data')), { code: 'ENOTDIR' })
  if (existsSync('/proc/self')) await t.throwsAsync(makeFolder('/proc/none/data'), { code: 'ENOENT' })
})
