import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import test from 'ava'
import { bundle, entries } from '#client/build.ts'

const folder = await mkdtemp(join(tmpdir(), 'listd-client-'))
bundle(folder)
const textOf = (name: string) => readFileSync(join(folder, `${name}.js`), 'utf8')
test.after.always(() => rmSync(folder, { recursive: true }))

const maxBytes = { main: 6.5 * 1024, manage: 3 * 1024, realtime: 3 * 1024, verify: 2 * 1024 }

for (const name of entries) {
  test(`${name} is at most ${maxBytes[name] / 1024} KB with gzip`, (t) => {
    const { length } = gzipSync(textOf(name), { level: 9 })
    t.true(length <= maxBytes[name], `${length} bytes`)
  })

  test(`${name} is one file that imports nothing`, (t) => {
    t.notRegex(textOf(name), /\bimport\b|\brequire\b/)
  })
}
