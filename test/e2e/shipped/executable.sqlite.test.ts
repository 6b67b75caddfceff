import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import test from 'ava'
import { until } from '../../support/assertions/until.ts'
import { buildExecutable, startAlone } from '../../support/deploy/executable.ts'
import { runTour, tourFolder } from '../../support/deploy/tour.ts'
import { endAll } from '../../support/processes/listd.ts'
import { testProcess } from '../../support/processes/process.ts'
import { processesOn, untilGone } from '../../support/processes/processes.ts'
import { testFolder } from '../../support/test-context/folder.ts'
import { shared } from '../../support/test-context/shared.ts'

const run = promisify(execFile)
const name = `listd-${process.platform}-${process.arch}`
const dist = shared(async (t) => ({ folder: await buildExecutable(t) }))
const executable = () => join(dist().folder, name)

const json = async (path: string | URL) => JSON.parse(await readFile(path, 'utf8'))

test('next to the executable are a bill of materials and the checksums of both, and nothing else', async (t) => {
  t.deepEqual((await readdir(dist().folder)).sort(), ['SHA256SUMS', name, 'listd.cdx.json'].sort())
  const sums = await readFile(join(dist().folder, 'SHA256SUMS'), 'utf8')
  const files = [name, 'listd.cdx.json'].map(async (file) => [file, await readFile(join(dist().folder, file))] as const)
  t.is(sums, (await Promise.all(files)).map(([file, bytes]) => `${hash('sha256', bytes)}  ${file}\n`).join(''))
})

type Component = {
  name: string
  group?: string
  version: string
  purl: string
  licenses?: unknown[]
  hashes?: { content: string }[]
}

test('nothing in the executable reveals where it was built', async (t) => {
  const bytes = await readFile(executable())
  for (const path of [dist().folder, join(import.meta.dirname, '../../..')]) t.false(bytes.includes(path))
})

test('the bill of materials is valid CycloneDX and has every shipped component, with version and license', async (t) => {
  const bill = await json(join(dist().folder, 'listd.cdx.json'))
  const schemas = join(
    createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'),
    '../res/schema',
  )
  const ajv = new Ajv({ strict: false, formats: { 'iri-reference': true, 'idn-email': true } })
  addFormats.default(ajv)
  for (const file of ['spdx', 'jsf-0.82'].map((name) => `${name}.SNAPSHOT.schema.json`)) {
    ajv.addSchema({ ...(await json(join(schemas, file))), $id: `http://cyclonedx.org/schema/${file}` })
  }
  const schema = await json(join(schemas, 'bom-1.6.SNAPSHOT.schema.json'))
  t.true(ajv.validate(schema, bill), ajv.errorsText())

  t.is(bill.metadata.component.hashes[0].content, hash('sha256', await readFile(executable())))
  const components: Component[] = bill.components
  t.deepEqual(
    components.filter(({ licenses = [] }) => licenses.length === 0),
    [],
  )
  const named = (wanted: string) => components.find((component) => component.name === wanted)
  t.is(named('node')?.version, process.versions.node)
  for (const part of ['nats-server', 'sqlite', 'libsodium']) {
    t.regex(named(part)?.version ?? '', /^\d+\.\d+\.\d+$/, part)
  }

  const { packages } = await json(new URL('../../../package-lock.json', import.meta.url))
  const folder = await unpack(await testFolder(t))
  const shipped = (await readdir(folder, { recursive: true }))
    .map((file) => /^(node_modules\/.*[^/]+)\/package\.json$/.exec(file)?.[1] ?? '')
    .filter((path) => path !== 'node_modules/node' && packages[path] !== undefined && path !== '')
  t.true(shipped.length > 80)
  for (const path of shipped) {
    const { name, version } = await json(join(folder, path, 'package.json'))
    const component = components.find(({ purl }) => purl === `pkg:npm/${name.replace('@', '%40')}@${version}`)
    const sha512 = Buffer.from(component?.hashes?.[0]?.content ?? '', 'hex')
    t.is(`sha512-${sha512.toString('base64')}`, packages[path].integrity, path)
  }
})

test('it serves the built dashboard, and names the packages bundled into it', async (t) => {
  const folder = await unpack(await testFolder(t))
  const { files, packages } = await json(join(folder, 'dist/dashboard/manifest.json'))
  t.true(packages.includes('node_modules/preact'))
  for (const path of Object.keys(files))
    t.true((await readdir(join(folder, 'dist/dashboard', dirname(path)))).includes(basename(path)))
  t.deepEqual((await readdir(join(folder, 'services'))).includes('dashboard'), false)
  const bill = await json(join(dist().folder, 'listd.cdx.json'))
  const licenses = await readFile(join(folder, 'licenses.txt'), 'utf8')
  const { packages: locked } = await json(new URL('../../../services/dashboard/package-lock.json', import.meta.url))
  for (const path of packages) {
    const { version } = locked[path]
    const name = path.slice('node_modules/'.length)
    t.true(
      bill.components.some(({ purl }: Component) => purl === `pkg:npm/${name.replace('@', '%40')}@${version}`),
      path,
    )
    t.true(licenses.includes(`\n${name} ${version}, ${locked[path].license}\n`), path)
  }
})

/** Makes the executable unpack itself. @returns the folder */
async function unpack(parent: string): Promise<string> {
  const { stdout } = await run(executable(), ['--version'], { env: { LISTD_UNPACK_DIR: parent } })
  const [name = '', ...others] = await readdir(parent)
  const [version] = stdout.split(' ')
  if (others.length > 0 || !name.startsWith(`${version}-`)) throw new Error(`unpacked: ${[name, ...others]}`)
  return join(parent, name)
}

test('first starts at the same time share what one of them unpacks', async (t) => {
  const parent = await testFolder(t)
  const found = await Promise.all(
    [unpack, unpack, unpack].map(() => run(executable(), ['--version'], { env: { LISTD_UNPACK_DIR: parent } })),
  )
  t.is(new Set(found.map(({ stdout }) => stdout)).size, 1)
  t.is((await readdir(parent)).length, 1)
})

test("README's tour works with only the executable, and so does every kind of command", async (t) => {
  const tour = await tourFolder(t)
  const settings = {
    LISTD_GATEWAY_PORT: String(tour.ports.api),
    LISTD_PASSWORDS_MEMORY_MIB: '19',
    LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
  }
  const listd = await startAlone(t, { executable: executable(), settings, certificate: tour.certificate })
  t.regex(listd.process.stderr(), /^ +\.\/listd user create --email you@example\.com\n +\.\/listd token create/m)
  await runTour(t, tour, { command: listd.command(), env: {} })

  const [program, ...first] = listd.command()
  const called = async (...args: string[]) =>
    (await run(program, [...first, ...args], { maxBuffer: 4 * 1024 * 1024 })).stdout
  await writeFile(join(listd.folder, 'lists.json'), '{"$schema":"/schema/sync-v1.json","lists":{"a":{"name":"A"}}}')
  t.regex(await called('doctor'), /nats-server.*\/bin\/nats-server/)
  t.regex(await called('migrate', '--status'), /version/)
  await called('backup', 'copy.db')
  t.true((await readdir(listd.folder)).includes('copy.db'))
  t.regex(await called('types', 'lists.json'), /interface|type /)
  t.regex(await called('licenses'), /^Node\.js 24\.[\s\S]*^sqlite3 /m)
  const error = await t.throwsAsync<Error & { code: number; stderr: string }>(called('restore', 'copy.db'))
  t.like(error, { code: 1 })
  t.regex(error?.stderr ?? '', /^listd: .*\n$/)

  process.kill(listd.pid(), 'SIGTERM')
  t.like(await listd.process.ended, { code: 0 })
})

test('a listd whose file was removed restarts its services, and killing it leaves nothing running', async (t) => {
  const folder = await testFolder(t)
  const [program, dataDir] = [join(folder, 'listd'), join(folder, 'data')]
  await link(executable(), program)
  t.teardown(() => endAll(dataDir))
  const env = { LISTD_DATA_DIR: dataDir, LISTD_UNPACK_DIR: join(folder, 'unpacked'), LISTD_GATEWAY_PORT: '0' }
  const listd = testProcess(t, [program, 'start'], { env })
  await listd.printed(/^ {2}try it .*\n/m)
  await rm(program)
  const gateway = processesOn(dataDir).find(({ command }) => command.includes(' service gateway '))
  process.kill(gateway?.pid ?? 0, 'SIGKILL')
  await until(() => /"event":"process.restarted","process":"gateway"/.test(listd.stdout()) || listd.stdout())
  listd.child.kill('SIGKILL')
  await untilGone(dataDir)
  t.pass()
})
