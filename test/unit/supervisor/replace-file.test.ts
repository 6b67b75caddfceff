import { chmod, mkdir, readdir, readFile, readlink, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { replaceFile } from '#services/supervisor/replace-file.ts'
import { testFolder } from '../../support/test-context/folder.ts'

test('a file is replaced as a whole and keeps its mode, even through a link', async (t) => {
  const folder = await testFolder(t)
  const [file, link] = [join(folder, 'file'), join(folder, 'link')]
  await replaceFile(file, 'first')
  await chmod(file, 0o644)
  await symlink('file', link)
  await replaceFile(link, 'second')
  t.is(await readFile(file, 'utf8'), 'second')
  t.is((await stat(file)).mode & 0o777, 0o644)
  t.is(await readlink(link), 'file')
  t.deepEqual(await readdir(folder), ['file', 'link'])
})

test('a failed write leaves the old file, and no draft', async (t) => {
  const folder = await testFolder(t)
  await mkdir(join(folder, 'taken'))
  await t.throwsAsync(replaceFile(join(folder, 'taken'), 'text'), { code: 'EISDIR' })
  await t.throwsAsync(replaceFile(join(folder, 'none/file'), 'text'), { code: 'ENOENT' })
  t.deepEqual(await readdir(folder), ['taken'])
  await replaceFile('/dev/null', 'text')
  t.true((await stat('/dev/null')).isCharacterDevice())
})
