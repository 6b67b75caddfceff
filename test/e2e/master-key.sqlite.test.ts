import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { emptyDirectory } from '../support/databases/database.ts'
import { startFresh } from '../support/processes/first-run.ts'
import { refusal } from '../support/processes/refusal.ts'

test('the master key that the first start makes is made no second time: without it a start is refused', async (t) => {
  const dataDir = await emptyDirectory(t)
  const { stop } = await startFresh(t, dataDir)
  await stop()
  await rm(join(dataDir, 'master-key'))
  t.regex(
    await refusal(t, dataDir),
    /secrets\.masterKey does not have the key [0-9a-f]{8} that secrets in this database are sealed with.*Give it too/,
  )
})
