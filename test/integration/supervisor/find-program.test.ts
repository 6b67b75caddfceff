import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { findNatsServer } from '#services/supervisor/processes/find-program.ts'
import { loadConfig } from '#shared/config/load.ts'
import { testFolder } from '../../support/test-context/folder.ts'

const configured = (path: string) => loadConfig({ env: { LISTD_NATS_SERVER_PATH: path } })

test('the first executable nats-server on PATH is used', async (t) => {
  const [empty, full, later] = [await testFolder(t), await testFolder(t), await testFolder(t)]
  await writeFile(join(empty, 'nats-server'), 'not a program', { mode: 0o644 })
  for (const folder of [full, later]) await writeFile(join(folder, 'nats-server'), '', { mode: 0o755 })
  t.is(await findNatsServer(configured(''), [empty, full, later]), join(full, 'nats-server'))
})

test('a configured one is used, even if there are others', async (t) => {
  const folder = await testFolder(t)
  const path = join(folder, 'my-nats')
  await writeFile(path, '')
  await chmod(path, 0o755)
  t.is(await findNatsServer(configured(path)), path)
})

test('without one, one line says how to install it', async (t) => {
  const error = await t.throwsAsync(findNatsServer(configured(''), [await testFolder(t)]))
  t.regex(error?.message ?? '', /^nats-server was not found: install 2\.10 or later/)
  t.false(error?.message.includes('\n'))
})

test('a configured one that is not executable is named', async (t) => {
  await t.throwsAsync(findNatsServer(configured('/nowhere/nats-server')), { message: /\/nowhere\/nats-server/ })
})
