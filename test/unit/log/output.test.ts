import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { createOutput } from '#shared/log/output.ts'
import { until } from '../../support/assertions/until.ts'
import { testFolder } from '../../support/test-context/folder.ts'

const lines = (count: number, length = 100) =>
  Array.from({ length: count }, (_, n) => `${String(n).padStart(6, '0')}${'ä'.repeat(length / 2)}\n`)

/** Waits for the disk, however busy the machine is: a flush that ends before its write also ends the gathering of lines. */
const maxFlushMs = 30_000

test('lines are written whole and in order, even when many arrive at once', async (t) => {
  const path = join(await testFolder(t), 'log')
  const fd = openSync(path, 'a')
  const output = createOutput(fd, { maxFlushMs })
  const given = [...lines(2_000), `${'x'.repeat(20_000)}\n`, 'last\n']
  for (const line of given) output.write(line)
  await output.flushed()
  t.is(readFileSync(path, 'utf8'), given.join(''))
  output.write('later\n')
  await output.flushed()
  t.regex(readFileSync(path, 'utf8'), /last\nlater\n$/)
  closeSync(fd)
})

test('lines in quick succession are gathered, and all are written soon without a flush', async (t) => {
  const path = join(await testFolder(t), 'log')
  const fd = openSync(path, 'a')
  const output = createOutput(fd)
  const given = lines(5)
  for (const line of given.slice(0, 3)) output.write(line)
  await t.notThrowsAsync(until(async () => readFileSync(path, 'utf8') === given.slice(0, 3).join('')))
  for (const line of given.slice(3)) output.write(line)
  await t.notThrowsAsync(until(async () => readFileSync(path, 'utf8') === given.join('')))
  closeSync(fd)
})

test('lines after a write wait for more, but not once there is enough for the next write', async (t) => {
  const folder = await testFolder(t)
  const [path, other] = [join(folder, 'log'), join(folder, 'other')]
  const fd = openSync(path, 'a')
  const output = createOutput(fd, { gatherMs: 600_000, maxFlushMs })
  const [first = '', ...more] = lines(60)
  output.write(first)
  await output.flushed()
  for (const line of more.slice(0, 3)) output.write(line)
  await writeFile(other, 'which takes the same way to the disk')
  t.is(readFileSync(path, 'utf8'), first)
  for (const line of more.slice(3)) output.write(line)
  await t.notThrowsAsync(until(async () => statSync(path).size > 3_000))
  await output.flushed()
  t.is(readFileSync(path, 'utf8'), [first, ...more].join(''))
  closeSync(fd)
})

test('a full disk loses only lines', async (t) => {
  const fd = openSync('/dev/full', 'w')
  const output = createOutput(fd)
  for (const line of lines(100)) output.write(line)
  await output.flushed()
  t.notThrows(() => output.write('more\n'))
  await output.flushed()
  closeSync(fd)
})

test('a stalled reader gets whole lines up to a bound when it continues, and writing never waits for it', async (t) => {
  const path = join(await testFolder(t), 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const output = createOutput(fd)
  const given = lines(30_000)
  for (const line of given) output.write(line)
  await output.flushed() // nothing has been read yet
  output.write('end\n') // there is room for it: the first lines are in the pipe

  let got = ''
  const readOn = async () => {
    got += readAvailable(fd)
    return got.endsWith('end\n')
  }
  await until(readOn, { what: 'the last line to be read' })
  t.true(got.length > 500_000 && got.length < given.join('').length / 2, `${got.length}`)
  t.true(given.join('').startsWith(got.slice(0, 300_000)))
  for (const line of got.split('\n').slice(0, -2)) t.is(line.length, 56)
  closeSync(fd)
})

function readAvailable(fd: number): string {
  const chunk = Buffer.alloc(65_536)
  try {
    return chunk.toString('utf8', 0, readSync(fd, chunk))
  } catch {
    return ''
  }
}
