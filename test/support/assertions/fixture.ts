import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ExecutionContext } from 'ava'

const fixtures = join(import.meta.dirname, '../../fixtures')

/**
 * Asserts that a text equals a file of `test/fixtures`, which reviewers read and whose diff shows changes. With TEST_UPDATE_FIXTURES=1
 * the file is written first.
 */
export async function matchesFixture(t: ExecutionContext, name: string, text: string): Promise<void> {
  const file = join(fixtures, name)
  if (process.env.TEST_UPDATE_FIXTURES === '1') {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  const remedy = `run this test with TEST_UPDATE_FIXTURES=1, which writes test/fixtures/${name}, and read the diff`
  t.is(text, await readFile(file, 'utf8').catch(() => ''), remedy)
}
