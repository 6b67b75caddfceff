import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { tarOf } from '#services/supervisor/support/tar.ts'

test('tar unpacks the files unchanged, whatever their length, and only their owner may read them', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'listd-tar-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const files = ['', 'a', 'é'.repeat(256), `${'x'.repeat(511)}\n`, 'y'.repeat(2_000)]
  const named = files.map((text, n) => ({ path: `report/${n}.txt`, text }))
  await writeFile(join(folder, 'report.tar'), tarOf(named, Date.parse('2026-01-31T12:00:00Z')))
  await promisify(execFile)('tar', ['-xf', 'report.tar'], { cwd: folder })
  for (const { path, text } of named) {
    t.is(await readFile(join(folder, path), 'utf8'), text, path)
    const { mode, mtimeMs } = await stat(join(folder, path))
    t.deepEqual([mode & 0o777, mtimeMs], [0o600, Date.parse('2026-01-31T12:00:00Z')])
  }
})

test('a path that is too long for the format is rejected', (t) => {
  for (const path of ['', 'ä', 'a'.repeat(101)]) t.throws(() => tarOf([{ path, text: '' }], 0))
})
