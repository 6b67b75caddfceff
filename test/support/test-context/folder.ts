import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertNoSecretsIn } from './canaries.ts'
import type { Teardown } from './teardown.ts'

/** An empty folder of a test, removed when the test ends; the data that listd has stored there must have no secret in clear. */
export async function testFolder(t: Teardown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'listd-test-'))
  t.teardown(async () => {
    await assertNoSecretsIn(folder).finally(() => rm(folder, { recursive: true, force: true }))
  })
  return folder
}
