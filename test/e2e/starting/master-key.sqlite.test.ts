import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { emptyDirectory } from '../../support/databases/database.ts'
import { startFresh } from '../../support/processes/first-run.ts'
import { rejection } from '../../support/processes/rejection.ts'

test('the first start creates the master key, and no later start creates another: without it a start fails', async (t) => {
  const dataDir = await emptyDirectory(t)
  const { stop } = await startFresh(t, dataDir)
  await stop()
  await rm(join(dataDir, 'master-key'))
  t.regex(
    await rejection(t, dataDir, { code: 78 }),
    /^listd: the master key [0-9a-f]{8}, which seals .*, is missing: restore a copy of it as /,
  )
  t.false(existsSync(join(dataDir, 'master-key')))
})
