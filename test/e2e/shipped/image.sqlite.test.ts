import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import {
  assembleImage,
  execCommand,
  firstProcess,
  imageSettings,
  startContainer,
  whyNoContainers,
  writableFolder,
} from '../../support/deploy/container.ts'
import { runTour, tourFolder } from '../../support/deploy/tour.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { shared } from '../../support/test-context/shared.ts'

const run = promisify(execFile)
const image = shared(async (t) => ({ folder: await assembleImage(t) }))

const filesOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

test('the image adds the programs, our code and the packages that it needs, and nothing else', (t) => {
  const files = filesOf(image().folder)
  t.deepEqual(
    files.filter((file) => !file.startsWith('opt/listd/')),
    ['usr/local/bin/listd'],
  )
  const ours = files.filter((file) => /^opt\/listd\/(?!node_modules)/.test(file)).map((file) => file.split('/')[2])
  t.deepEqual([...new Set(ours)].sort(), [
    'LICENSE',
    'bin',
    'client',
    'commit.txt',
    'config',
    'deploy',
    'dist',
    'licenses.txt',
    'package.json',
    'scripts',
    'services',
    'shared',
  ])
  const packages = files.filter((file) => file.startsWith('opt/listd/node_modules/'))
  const kinds = new Set(
    packages.filter((file) => !/licen[cs]e|copying|notice/i.test(file)).map((file) => extname(file)),
  )
  // The files without an extension are node and the link to it.
  t.deepEqual([...kinds].sort(), ['', '.cjs', '.js', '.json', '.mjs', '.node'])
})

test('the image has no package that only development needs, and every other one at its version', (t) => {
  const { packages } = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'))
  const files = filesOf(join(image().folder, 'opt/listd'))
  const found = files.map(
    (file) => /^(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(file)?.[1],
  )
  t.true(found.filter((name) => name !== undefined).length > 80)
  for (const name of found) {
    if (name === undefined) continue
    t.not(packages[name]?.dev, true, name)
    const { version } = JSON.parse(readFileSync(join(image().folder, 'opt/listd', name, 'package.json'), 'utf8'))
    t.is(version, packages[name]?.version, name)
  }
})

test('the user of the image cannot change anything in it', (t) => {
  for (const file of filesOf(join(image().folder, 'opt'))) {
    t.is(statSync(join(image().folder, 'opt', file)).mode & 0o022, 0, file)
  }
})

test('the Dockerfile has every package.json that npm needs before it installs', (t) => {
  const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  for (const workspace of JSON.parse(text('package.json')).workspaces) {
    t.true(text('deploy/Dockerfile').includes(`COPY ${workspace}/package.json ${workspace}/\n`), workspace)
    t.true(text('.dockerignore').includes(`!${workspace}/package.json\n`), workspace)
  }
})

test('the image runs as an ordinary user', (t) => {
  t.regex(imageSettings.user ?? '', /^[1-9]\d{3,}:[1-9]\d{3,}$/)
})

test("README's tour works in a container of the image, which is healthy and drains when it is stopped", async (t) => {
  const reason = await whyNoContainers()
  if (reason !== null) {
    t.log(reason)
    t.pass()
    return
  }
  const tour = await tourFolder(t)
  const env = {
    ...(await ownPorts()),
    LISTD_GATEWAY_PORT: String(tour.ports.api),
    LISTD_PASSWORDS_MEMORY_MIB: '19',
    LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
    LISTD_WEBHOOKS_CA_FILE: '/receiver.pem',
  }
  const mounts = [
    { source: await writableFolder(t), target: '/data', readOnly: false },
    { source: tour.certificate, target: '/receiver.pem', readOnly: true },
  ]
  const command = [...imageSettings.entrypoint, ...imageSettings.command]
  const listd = await startContainer(t, { image: image().folder, command, env, mounts, workdir: '/data' })
  await listd.printed(/^ {2}try it .*\n/m)

  await runTour(t, tour, { command: execCommand(listd.pid, imageSettings.entrypoint), env })

  const [nsenter, ...check] = execCommand(listd.pid, imageSettings.healthCheck)
  await t.notThrowsAsync(run(nsenter, check, { env }))
  await t.throwsAsync(run(nsenter, check, { env: await ownPorts() }), undefined, 'nothing listens there')
  process.kill(firstProcess(listd.pid), 'SIGTERM')
  t.like(await listd.ended, { code: 0 })
  for (const service of ['gateway', 'identity', 'webhook-dispatcher']) {
    t.regex(listd.stdout(), new RegExp(`"service":"${service}".*"event":"service.stopped"`))
  }
})

/** The variables of the image, with ports that are free on this machine. */
async function ownPorts(): Promise<Record<string, string>> {
  const ports = await Promise.all(['GATEWAY', 'IDENTITY', 'DISPATCHER'].map(async (name) => [name, await freePort()]))
  return {
    ...imageSettings.env,
    ...Object.fromEntries(ports.map(([name, port]) => [`LISTD_${name}_OPS_PORT`, `${port}`])),
  }
}
