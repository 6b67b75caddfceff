import { readFile, writeFile } from 'node:fs/promises'
import type { ExecutionContext } from 'ava'

/** Compares a text with `test/fixtures/<name>`; with `TEST_UPDATE_FIXTURES=1` it is written there first. */
export async function matchesFixture(t: ExecutionContext, name: string, text: string): Promise<void> {
  const url = new URL(`../../fixtures/${name}`, import.meta.url)
  if (process.env.TEST_UPDATE_FIXTURES === '1') await writeFile(url, text)
  const remedy = `read what changes; TEST_UPDATE_FIXTURES=1 writes it to test/fixtures/${name}`
  t.is(text, await readFile(url, 'utf8').catch(() => ''), remedy)
}
