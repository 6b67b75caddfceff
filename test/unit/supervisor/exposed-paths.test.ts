import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { findExposedPaths } from '#services/supervisor/exposed-paths.ts'

test('a key that others may read and a data directory that all may write to are found', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'listd-exposed-'))
  t.teardown(() => rm(dataDir, { recursive: true }))
  const key = join(dataDir, 'master-key')
  const found = async (directoryMode: number, keyMode: number) => {
    await chmod(dataDir, directoryMode)
    await chmod(key, keyMode)
    return (await findExposedPaths({ dataDir })).map(({ path, to }) => `${to} ${path}`)
  }
  t.deepEqual(await findExposedPaths({ dataDir }), [])
  await writeFile(key, 'key')
  t.deepEqual(await found(0o700, 0o600), [])
  t.deepEqual(await found(0o770, 0o600), [])
  t.deepEqual(await found(0o755, 0o644), [`read ${key}`])
  t.deepEqual(await found(0o777, 0o640), [`write ${dataDir}`, `read ${key}`])
})
