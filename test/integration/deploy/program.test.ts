import { execFile, spawnSync } from 'node:child_process'
import { cp, mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { listdProgram } from '../../support/processes/listd-program.ts'
import { testFolder } from '../../support/test-context/folder.ts'

const script = join(import.meta.dirname, '../../../scripts/program/is-built')

test('the bundle runs unless one of its sources is newer, or was removed', async (t) => {
  const folder = await testFolder(t)
  const at = (path: string) => join(folder, path)
  for (const path of ['scripts/program', 'services/dashboard', 'shared/domain', 'node_modules', 'dist/program'])
    await mkdir(at(path), { recursive: true })
  await cp(script, at('scripts/program/is-built'))
  const isBuilt = () => spawnSync(at('scripts/program/is-built')).status === 0
  t.false(isBuilt())
  const sources = [
    'services/main.ts',
    'shared/domain/item.ts',
    'package.json',
    'node_modules/.installed-package-lock.json',
  ]
  for (const path of [...sources, 'services/dashboard/page.tsx', 'dist/program/main.js']) await writeFile(at(path), '')
  const setTime = (path: string, seconds: number) => utimes(at(path), seconds, seconds)
  const all = ['scripts/program', 'scripts/program/is-built', 'services', 'shared', 'shared/domain', ...sources]
  for (const path of all) await setTime(path, 1_000)
  await setTime('dist/program/main.js', 1_000)
  t.true(isBuilt())
  for (const path of all) {
    await setTime(path, 2_000)
    t.false(isBuilt(), path)
    await setTime(path, 1_000)
  }
  await setTime('services/dashboard/page.tsx', 2_000)
  t.true(isBuilt())
})

test('the stack traces of listd name positions in its sources', async (t) => {
  const { stderr } = await promisify(execFile)('/bin/sh', ['-c', `${listdProgram} --version >/dev/full || true`])
  t.regex(stderr, /ENOSPC/)
  t.regex(stderr, /\/services\/supervisor\/program\.ts:\d+:\d+\)$/m)
  t.notRegex(stderr, /^ +at .*\/dist\/program\//m)
})
