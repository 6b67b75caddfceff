import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { zstdDecompressSync } from 'node:zlib'
import test from 'ava'
import { pack } from '#services/supervisor/executable/archive.ts'
import { unpackOnce } from '#services/supervisor/executable/unpack.ts'
import { testFolder } from '../../../support/test-context/folder.ts'
import type { Teardown } from '../../../support/test-context/teardown.ts'

const texts = { 'main.ts': 'main', 'a/b/c.js': 'c', 'a/empty.js': '', 'bin/server': '#!/bin/sh\n' }

/** A folder with these files; the file in `bin` is executable. */
async function folderOf(t: Teardown, files: Record<string, string> = texts): Promise<string> {
  const folder = await testFolder(t)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: path.startsWith('bin/') ? 0o755 : 0o644 })
  }
  return folder
}

/** A packed archive, and an empty folder to unpack it into. */
async function scene(t: Teardown) {
  const { index, contents } = pack(await folderOf(t), '1.2.3')
  const archive = { index, contents: () => zstdDecompressSync(contents) }
  const parent = join(await testFolder(t), 'created/for/it')
  return { archive, parent, unpack: () => unpackOnce(archive, { parents: [parent] }) }
}

function assertUnpacked(t: { is(a: unknown, b: unknown): void }, folder: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory())
  t.is(files.length, Object.keys(texts).length)
  for (const [path, text] of Object.entries(texts)) {
    t.is(readFileSync(join(folder, path), 'utf8'), text)
    t.is(statSync(join(folder, path)).mode & 0o777, path.startsWith('bin/') ? 0o700 : 0o600)
  }
}

test('the same files give the same archive, whatever their times and the order they were created in', async (t) => {
  const one = await folderOf(t)
  const other = await folderOf(t, Object.fromEntries(Object.entries(texts).toReversed()))
  utimesSync(join(other, 'main.ts'), 1, 1)
  chmodSync(join(other, 'main.ts'), 0o600)
  t.deepEqual(pack(one, '1.2.3'), pack(other, '1.2.3'))
  writeFileSync(join(other, 'main.ts'), 'niam')
  t.not(pack(one, '1.2.3').index.name, pack(other, '1.2.3').index.name)
})

test('an archive is unpacked once, into a folder named after version and hash that is only for its user', async (t) => {
  const { archive, parent, unpack } = await scene(t)
  const folder = unpack()
  t.regex(basename(folder), /^1\.2\.3-[0-9a-f]{32}$/)
  t.deepEqual(readdirSync(parent), [archive.index.name])
  assertUnpacked(t, folder)
  t.is(statSync(folder).mode & 0o777, 0o700)
  const first = statSync(folder).ino
  t.is(unpack(), folder)
  t.is(statSync(folder).ino, first)
})

const alterations: Record<string, (folder: string) => void> = {
  'a changed byte': (folder) => writeFileSync(join(folder, 'main.ts'), 'mein'),
  'a file that was cut off': (folder) => truncateSync(join(folder, 'main.ts'), 2),
  'a file that grew': (folder) => appendFileSync(join(folder, 'a/empty.js'), ' '),
  'a file that is missing': (folder) => rmSync(join(folder, 'a/b/c.js')),
  'a file that is new': (folder) => writeFileSync(join(folder, 'a/package.json'), '{}'),
  'a folder that is new': (folder) => mkdirSync(join(folder, 'a/node_modules')),
  'a link in place of a file': (folder) => {
    renameSync(join(folder, 'main.ts'), join(folder, '../main.ts'))
    symlinkSync('../main.ts', join(folder, 'main.ts'))
  },
  'a program that cannot be run': (folder) => chmodSync(join(folder, 'bin/server'), 0o600),
  'a file that others may change': (folder) => chmodSync(join(folder, 'main.ts'), 0o622),
  'a folder that others may change': (folder) => chmodSync(folder, 0o777),
  'an unreadable folder': (folder) => chmodSync(folder, 0),
  'a file in place of the folder': (folder) => {
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
  },
}

for (const [what, alter] of Object.entries(alterations)) {
  test(`${what} is detected, and everything is unpacked again`, async (t) => {
    const { unpack } = await scene(t)
    const folder = unpack()
    alter(folder)
    t.is(unpack(), folder)
    assertUnpacked(t, folder)
  })
}

test('compiled code that Node.js keeps next to the packages is left alone', async (t) => {
  const { index, contents } = pack(await folderOf(t, { 'node_modules/a/index.js': 'a' }), '1.2.3')
  const archive = { index, contents: () => zstdDecompressSync(contents) }
  const parents = [await testFolder(t)]
  const cache = join(unpackOnce(archive, { parents }), 'node_modules/.cache/listd')
  mkdirSync(cache, { recursive: true })
  unpackOnce(archive, { parents })
  t.true(existsSync(cache))
})

test('a process may rely on a check that was done shortly before', async (t) => {
  const { archive, parent, unpack } = await scene(t)
  const changed = join(unpack(), 'main.ts')
  writeFileSync(changed, 'mein')
  unpackOnce(archive, { parents: [parent], checkedWithinMs: 3_600_000 })
  t.is(readFileSync(changed, 'utf8'), 'mein')
  utimesSync(join(changed, '..'), 1, 1)
  unpackOnce(archive, { parents: [parent], checkedWithinMs: 3_600_000 })
  t.is(readFileSync(changed, 'utf8'), 'main')
})

test('the draft of a killed process is removed after a while, but not that of a running one', async (t) => {
  const { archive, parent, unpack } = await scene(t)
  for (const name of ['.listd-new-old', '.listd-new-now', '.new-site'])
    mkdirSync(join(parent, name), { recursive: true })
  for (const name of ['.listd-new-old', '.new-site']) utimesSync(join(parent, name), 1, 1)
  unpack()
  t.deepEqual(
    readdirSync(parent).sort(),
    ['.listd-new-now', '.new-site', archive.index.name],
    'the entries of other programs stay',
  )
})

test('if it cannot unpack, or others could change the folder, it uses the next one', async (t) => {
  const { archive } = await scene(t)
  const folder = await testFolder(t)
  const [file, shared, good] = [join(folder, 'file'), join(folder, 'shared'), join(folder, 'good')]
  writeFileSync(file, '')
  mkdirSync(shared)
  chmodSync(shared, 0o777)
  const parents = [join(file, 'x'), join(shared, 'x'), good]
  t.is(unpackOnce(archive, { parents }), join(good, archive.index.name))
  t.deepEqual(readdirSync(shared), [])
  const error = t.throws(() => unpackOnce(archive, { parents: parents.slice(0, 2) }))
  for (const part of ['ENOTDIR', `other users may change ${shared}`, 'LISTD_UNPACK_DIR'])
    t.true(error.message.includes(part))
})

/** Points a link to one folder and the other in turn, as fast as possible, until the test ends. */
async function flipLink(t: Teardown, { link, targets }: { link: string; targets: readonly string[] }): Promise<void> {
  const code = `
    const { renameSync, symlinkSync } = require('node:fs')
    const { parentPort, workerData: { link, targets } } = require('node:worker_threads')
    for (let n = 0; ; n++) {
      symlinkSync(targets[n % 2], link + '.next')
      renameSync(link + '.next', link)
      if (n === 0) parentPort.postMessage('begun')
    }`
  const worker = new Worker(code, { eval: true, workerData: { link, targets } })
  t.teardown(() => worker.terminate())
  await once(worker, 'message')
}

test('a link that is changed while it is followed never leads to a folder that others may change', async (t) => {
  const { archive } = await scene(t)
  const folder = await testFolder(t)
  const [link, mine, shared] = [join(folder, 'link'), join(folder, 'mine'), join(folder, 'shared')]
  mkdirSync(mine)
  mkdirSync(shared)
  chmodSync(shared, 0o777)
  await flipLink(t, { link, targets: [mine, shared] })
  for (let n = 0; n < 600; n++) {
    try {
      t.is(unpackOnce(archive, { parents: [link] }), join(mine, archive.index.name))
    } catch (error) {
      t.regex(String(error), /other users may change/)
    }
  }
  t.deepEqual(readdirSync(shared), [])
})

test('a folder that passes its group on to its content is accepted', async (t) => {
  const { archive } = await scene(t)
  const parent = await testFolder(t)
  chmodSync(parent, 0o2700)
  const folder = unpackOnce(archive, { parents: [parent] })
  const first = statSync(folder).ino
  unpackOnce(archive, { parents: [parent] })
  t.is(statSync(folder).ino, first)
})

test('a folder in a sticky one is accepted, and one of another user is not', async (t) => {
  const { archive } = await scene(t)
  const sticky = await testFolder(t)
  chmodSync(sticky, 0o1777)
  const mine = join(sticky, 'mine')
  t.is(unpackOnce(archive, { parents: [mine] }), join(mine, archive.index.name))
  if (process.getuid?.() !== 0) {
    t.log('left out: only root may give a folder away')
    return
  }
  chownSync(mine, 12_345, 12_345)
  t.throws(() => unpackOnce(archive, { parents: [mine] }), { message: /other users may change/ })
})
