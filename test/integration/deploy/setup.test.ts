import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { testFolder } from '../../support/test-context/folder.ts'

const script = join(import.meta.dirname, '../../../scripts/setup')
const [lock, installedLock] = ['package-lock.json', 'node_modules/.installed-package-lock.json']
const kept = 'node_modules/.cache/nats-server'
const pool = 'archive/pool/main/n/nats-server'

/**
 * Runs `scripts/setup` on a machine with the npm packages and with nats-server in this version. The only apt archive is a folder,
 * whose file with the name of Debian's package has a different content.
 * @returns what it printed, and whether a nats-server was put next to the packages
 */
async function setUp(t: ExecutionContext, { version, earlier = false }: { version: string; earlier?: boolean }) {
  const folder = await testFolder(t)
  for (const path of ['node_modules', 'scripts', 'bin', pool]) await mkdir(join(folder, path), { recursive: true })
  await cp(script, join(folder, 'scripts/setup'))
  for (const file of [lock, installedLock]) await writeFile(join(folder, file), '{}')
  await writeFile(join(folder, pool, 'nats-server_2.10.27-1+b2_amd64.deb'), 'another package')
  if (earlier) {
    await mkdir(join(folder, kept), { recursive: true })
    await writeFile(join(folder, kept, 'sha256'), 'of an earlier version')
  }
  const programs = {
    'nats-server': `echo 'nats-server: v${version}'`,
    dpkg: 'echo amd64',
    'apt-get': `[ "$1" = indextargets ] && echo 'copy:${folder}/archive/'`,
  }
  for (const [name, code] of Object.entries(programs)) {
    await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${code}\n`, { mode: 0o755 })
  }
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  const { stdout, stderr } = await promisify(execFile)(join(folder, 'scripts/setup'), { env })
  return { printed: stdout + stderr, downloaded: existsSync(join(folder, kept)) }
}

test('a nats-server of 2.10 or later is used', async (t) => {
  for (const version of ['2.10.0', '2.12.1', '3.0.0']) {
    t.deepEqual(await setUp(t, { version }), { printed: '', downloaded: false })
  }
})

test('instead of an older one only the package with the known checksum is used, and without it one line says what to do', async (t) => {
  for (const version of ['2.9.10', '2.1.0', '1.4.1']) {
    const { printed, downloaded } = await setUp(t, { version })
    t.false(downloaded)
    t.regex(printed, /^setup: the nats-server installed here is older than 2\.10 .*; install 2\.10 or later .*\n$/m)
    if (existsSync('/usr/lib/apt/apt-helper')) t.regex(printed, /sha256sum: WARNING/)
  }
})

test('a nats-server that was downloaded for an earlier version stays until the next one is available', async (t) => {
  const { printed, downloaded } = await setUp(t, { version: '2.9.10', earlier: true })
  t.true(downloaded)
  t.notRegex(printed, /installed here is older/)
  if (existsSync('/usr/lib/apt/apt-helper'))
    t.regex(printed, /^setup: it cannot be downloaded from there, or does not run here$/m)
})

const page = 'services/dashboard'

/** A folder with the dashboard's sources, in which `npm` creates only its folder, and the build only the manifest. */
async function folderWithDashboard(t: ExecutionContext) {
  const folder = await testFolder(t)
  const places = ['node_modules/.bin', 'scripts', 'bin', `${page}/pages`, 'client/src', 'docs/webhooks']
  const pure = ['domain', 'json', 'json-schema', 'net'].map((room) => `shared/${room}`)
  for (const path of [...places, ...pure]) await mkdir(join(folder, path), { recursive: true })
  await cp(script, join(folder, 'scripts/setup'))
  const empty = [
    lock,
    installedLock,
    `${page}/package-lock.json`,
    `${page}/build.ts`,
    `${page}/pages/a.tsx`,
    'shared/errors.ts',
    'docs/webhooks/verify.md',
    'tsconfig.json',
  ]
  for (const file of empty) await writeFile(join(folder, file), '{}')
  const programs = {
    'bin/nats-server': "echo 'nats-server: v2.12.0'",
    'bin/npm': `mkdir -p ${page}/node_modules`,
    'node_modules/.bin/node': 'mkdir -p dist/dashboard && echo "$@" >dist/dashboard/manifest.json',
  }
  for (const [name, code] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${code}\n`, { mode: 0o755 })
  }
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  return {
    folder,
    async setUp(...args: string[]) {
      const { stdout, stderr } = await promisify(execFile)(join(folder, 'scripts/setup'), args, { env })
      return stdout + stderr
    },
  }
}

const installs = 'setup: installing the npm packages of the dashboard\n'
const builds = 'setup: building the dashboard\n'
/** Ascending times that are later than every file that the test has written. */
const later = (n: number) => new Date(Date.now() + 60_000 * n)

test('the dashboard is built if needed, and again when a source has changed or was removed', async (t) => {
  const { folder, setUp } = await folderWithDashboard(t)
  t.is(await setUp(), '')
  t.is(await setUp('dashboard'), installs + builds)
  t.is(await readFile(join(folder, 'dist/dashboard/manifest.json'), 'utf8'), `${page}/build.ts\n`)
  t.is(await setUp('dashboard'), '')
  // The times make each source newer than the last build, without waiting for the clock.
  const pure = ['shared/json', 'client/src', 'shared/errors.ts']
  const sources = [`${page}/pages/a.tsx`, ...pure, 'docs/webhooks/verify.md', 'tsconfig.json']
  for (const [n, changed] of sources.entries()) {
    await utimes(join(folder, changed), later(2 * n + 1), later(2 * n + 1))
    t.is(await setUp('dashboard'), builds, changed)
    await utimes(join(folder, 'dist/dashboard/manifest.json'), later(2 * n + 2), later(2 * n + 2))
    t.is(await setUp('dashboard'), '', changed)
  }
})

test('other packages of the dashboard are installed, and it is built with them', async (t) => {
  const { folder, setUp } = await folderWithDashboard(t)
  await setUp('dashboard')
  await writeFile(join(folder, page, 'package-lock.json'), '{"other":true}')
  await utimes(join(folder, page, 'package-lock.json'), later(1), later(1))
  t.is(await setUp('dashboard'), installs + builds)
})

test('without sources, as in the first layer of the image, only its packages are installed', async (t) => {
  const { folder, setUp } = await folderWithDashboard(t)
  await rm(join(folder, page, 'build.ts'))
  t.is(await setUp('dashboard'), installs)
  t.is(await setUp('dashboard'), '')
  t.false(existsSync(join(folder, 'dist')))
})
