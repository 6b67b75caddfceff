import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Teardown } from './teardown.ts'

/** An empty folder of a test's own, removed when the test ends. */
export async function testFolder(t: Teardown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'listd-test-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}
