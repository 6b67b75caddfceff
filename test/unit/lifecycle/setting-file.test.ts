import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { readSettingFile } from '#shared/lifecycle/setting-file.ts'
import { startExitCode, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { testFolder } from '../../support/test-context/folder.ts'

test('an unreadable file is named with its setting, and an operator must correct it', async (t) => {
  const folder = await testFolder(t)
  const path = join(folder, 'ca.pem')
  const read = (wrong: string) => t.throws(() => readSettingFile('database.caFile', wrong))
  t.is(read(path)?.message, `database.caFile cannot be read: ${path} does not exist.`)
  t.true(read(folder)?.message.startsWith(`database.caFile cannot be read: ${folder} is a folder, `))
  t.is(startExitCode(read(path)), startExitCodes.configuration)
  await writeFile(path, 'text')
  t.is(readSettingFile('database.caFile', path), 'text')
})
