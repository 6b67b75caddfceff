import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { createFolder } from '#shared/files/create-folder.ts'
import { testFolder } from '../../support/test-context/folder.ts'

test('a folder is created with its parents, only for its owner, and an existing one stays', async (t) => {
  const path = join(await testFolder(t), 'a/b/c')
  await Promise.all([createFolder(path), createFolder(path)])
  t.is((await stat(path)).mode & 0o777, 0o700)
  await createFolder(path)
})

test('a file in the way is named, and a system that cannot create folders does not make the process wait', async (t) => {
  const file = join(await testFolder(t), 'file')
  await writeFile(file, '')
  await t.throwsAsync(createFolder(file), { message: `${file} is a file, and must be a folder.` })
  await t.throwsAsync(createFolder(join(file, 'data')), { code: 'ENOTDIR' })
  if (existsSync('/proc/self')) await t.throwsAsync(createFolder('/proc/none/data'), { code: 'ENOENT' })
})
