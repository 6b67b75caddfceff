import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import test from 'ava'
import { writeRoomFiles } from '../../support/runner/room-files.ts'
import { roomsOf } from '../../support/runner/rooms.ts'
import { toSourceFile } from '../../support/tidy/source-files.ts'

const root = join(import.meta.dirname, '../../..')
const filesOf = (folder: string, count: number) =>
  Array.from({ length: count }, (_, n) => toSourceFile(`test/${folder}/n${n}.test.ts`, ''))

test('a folder is a room, and one with few files joins its parent folder, up to the layer', (t) => {
  const all = [
    ...filesOf('unit/json', 8),
    ...filesOf('unit/net', 1),
    ...filesOf('integration/data/sql', 5),
    ...filesOf('integration/data', 3),
  ]
  const sizes = Object.fromEntries(roomsOf(all, all).map(({ name, parts }) => [name, parts.length]))
  t.deepEqual(sizes, { 'unit/json': 8, unit: 1, 'integration/data': 8 })
})

test('a file is in the same room whichever files are run', (t) => {
  const all = filesOf('unit/json', 8)
  const rooms = roomsOf(all.slice(0, 1), all)
  t.deepEqual(rooms, [{ name: 'unit/json', parts: ['test/unit/json/n0.test.ts'], why: null }])
})

const apart: [path: string, text: string, why: string | null][] = [
  ['test/e2e/x.test.ts', 'const listd = await testListd(t)', 'starts, kills or configures a listd'],
  ['test/e2e/x.test.ts', 'const listd = sharedListd()', null],
  ['test/browser/x.test.ts', '', 'drives a browser'],
  ['test/unit/json/x.test.ts', 'process.memoryUsage()', 'measures what the process holds'],
  ['test/unit/json/x.test.ts', 'queryObjects(Socket)', 'measures what the process holds'],
  ['test/unit/json/x.test.ts', 'process.getActiveResourcesInfo()', 'measures what the process holds'],
  ['test/unit/json/x.test.ts', "process.env.PATH = ''", 'changes the process'],
  ['test/unit/json/x.test.ts', 'if (process.env.PATH === undefined) return', null],
]
for (const [path, text, expected] of apart) {
  test(`${path} with "${text}" is ${expected === null ? 'shares a room' : `has its own room, because it ${expected}`}`, (t) => {
    const file = toSourceFile(path, text)
    t.is(roomsOf([file], [file])[0]?.why, expected)
  })
}

const room = { name: 'of a test', lane: 'unit', env: {}, match: [], isApart: false }

test('parts run one after the other as ava runs a file, and one that fails or changes the process is named', async (t) => {
  const parts = ['first', 'second', 'first'].map((name) => `test/support/programs/room-parts/${name}.ts`)
  const { paths, remove } = writeRoomFiles([{ ...room, parts: parts.slice(0, 2) }])
  t.teardown(remove)
  const { code, output } = await runAva(paths)
  t.is(code, 1)
  t.regex(output, /first: before serial together/)
  t.regex(output, /✔ .*room-parts\/first\.ts: runs together/)
  t.regex(output, /✔ .*room-parts\/second\.ts: runs together/)
  t.regex(output, /✘ .*room-parts\/second\.ts: fails/)
  t.regex(output, /second\.ts:8/)
  t.regex(output, /second\.ts leaves the process changed: process\.env\.LEFT_BY_A_TEST/)
  t.regex(output, /3 tests? passed|1 test failed/)
})

test('with a title to match only its tests run', async (t) => {
  const parts = ['test/support/programs/room-parts/second.ts']
  const { paths, remove } = writeRoomFiles([{ ...room, parts, match: ['fail*'] }])
  t.teardown(remove)
  const { output } = await runAva(paths)
  t.regex(output, /second\.ts: fails/)
  t.notRegex(output, /runs together/)
})

function runAva(paths: readonly string[]): Promise<{ code: number; output: string }> {
  const ava = join(root, 'node_modules/ava/entrypoints/cli.js')
  const env = { ...process.env, TEST_REPORT: '', AVA_FORCE_CI: 'ci' }
  return new Promise((resolve) => {
    execFile(process.execPath, [ava, ...paths], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stripVTControlCharacters(stdout + stderr) })
    })
  })
}
