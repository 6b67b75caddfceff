import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { isDataDirectoryLocked, lockDataDirectory } from '#shared/data/data-directory-lock.ts'
import { testProcess } from '../../../support/processes/process.ts'
import { testFolder } from '../../../support/test-context/folder.ts'

const holder = join(import.meta.dirname, '../../../support/programs/lock-holder.ts')

test('a data directory that another process has locked is rejected, and is free as soon as that process is killed', async (t) => {
  const dataDir = await testFolder(t)
  const other = testProcess(t, [process.execPath, holder, dataDir])
  await other.printed(/locked/)
  await t.throwsAsync(lockDataDirectory(dataDir), {
    message: `another listd runs on the data directory ${dataDir}. Stop it first, or set another one with LISTD_DATA_DIR.`,
  })
  other.child.kill('SIGKILL')
  await other.ended
  const lock = await lockDataDirectory(dataDir)
  await lock.release()
})

test('a released lock can be acquired again', async (t) => {
  const dataDir = await testFolder(t)
  await (await lockDataDirectory(dataDir)).release()
  await (await lockDataDirectory(dataDir)).release()
  t.pass()
})

test('a missing data directory is created for its owner only', async (t) => {
  const dataDir = join(await testFolder(t), 'a/b')
  const lock = await lockDataDirectory(dataDir)
  t.is((await stat(dataDir)).mode & 0o777, 0o700)
  await lock.release()
})

test('a data directory that cannot be created is rejected with a sentence', async (t) => {
  await t.throwsAsync(lockDataDirectory('/dev/null/data'), { message: /ENOTDIR|data directory/ })
})

test('a lock of another process is detected without acquiring or creating anything', async (t) => {
  const dataDir = await testFolder(t)
  t.false(await isDataDirectoryLocked(dataDir))
  t.deepEqual(await readdir(dataDir), [])
  const other = testProcess(t, [process.execPath, holder, dataDir])
  await other.printed(/locked/)
  t.true(await isDataDirectoryLocked(dataDir))
  other.child.kill('SIGKILL')
  await other.ended
  t.false(await isDataDirectoryLocked(dataDir))
})
