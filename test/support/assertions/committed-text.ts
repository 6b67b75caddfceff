import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ExecutionContext } from 'ava'

const fixtures = join(import.meta.dirname, '../../fixtures')

/**
 * Asserts that a text is the one in a file of `test/fixtures`, which a reviewer reads and a change shows in its diff. With
 * TEST_WRITE_FIXTURES=1 the file is written instead.
 */
export async function isCommittedText(t: ExecutionContext, path: string, text: string): Promise<void> {
  const file = join(fixtures, path)
  if (process.env.TEST_WRITE_FIXTURES === '1') {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  const committed = await readFile(file, 'utf8').catch(() => '')
  t.is(
    text,
    committed,
    `test/fixtures/${path} has another text: run this test with TEST_WRITE_FIXTURES=1, and read the diff`,
  )
}
