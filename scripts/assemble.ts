import { spawnSync } from 'node:child_process'
import { constants } from 'node:fs'
import { chmod, chown, copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { commitFile, findCommit } from '#services/supervisor/commit.ts'
import { downloadedNatsServer } from '#services/supervisor/processes/find-program.ts'
import { licenseFile, licensesText } from './licenses.ts'
import { lockedPackages, neededPackages } from './needed-packages.ts'

const usage = `Writes the files that the image of listd adds to its base into a folder: only what listd needs to run.
node scripts/assemble.ts FOLDER [--nats-server PROGRAM] [--commit NAME]
    The folder must be empty or not exist. By default the program is the nats-server that scripts/setup has downloaded, if any,
    and the commit is that of the checkout, if there is one.
`

const root = join(import.meta.dirname, '..')
/** The user of the image, who owns the data directory. */
const userId = 10_001

type Parts = { natsServer: string | null; commit: string | null }

async function assemble(image: string, { natsServer, commit }: Parts): Promise<void> {
  const app = join(image, 'opt/listd')
  const programs = join(image, 'usr/local/bin')
  for (const part of ['config', 'shared', 'client/src']) await copyFolder(join(root, part), join(app, part))
  // Only the build of the dashboard is needed.
  await copyFolder(join(root, 'services'), join(app, 'services'), (path) => path !== 'dashboard')
  await copyFolder(join(root, 'dist/dashboard'), join(app, 'dist/dashboard')).catch(needsDashboard)
  for (const file of [
    'package.json',
    'LICENSE',
    'scripts/listd',
    'scripts/program/is-built',
    'deploy/healthcheck.ts',
  ]) {
    await copy(join(root, file), join(app, file))
  }
  await copyPackages(join(app, 'node_modules'))
  await writeFile(join(app, 'licenses.txt'), licensesText(app), { mode: 0o644 })
  if (commit !== null) await writeFile(join(app, commitFile), `${commit}\n`, { mode: 0o644 })
  await mkdir(programs, { recursive: true })
  await symlink('../../../opt/listd/scripts/listd', join(programs, 'listd'))
  if (natsServer !== null) await copy(natsServer, join(app, 'bin/nats-server'))
  // Last, because it must be newer than the sources.
  await copyFolder(builtProgram(), join(app, 'dist/program'))
  const data = join(image, 'data')
  await mkdir(data, { mode: 0o700 })
  if (process.getuid?.() === 0) await chown(data, userId, userId)
}

function needsDashboard(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error
  throw new Error('The dashboard is not built: run "scripts/setup dashboard".')
}

function builtProgram(): string {
  const { status } = spawnSync(join(root, 'scripts/program/is-built'))
  if (status !== 0) throw new Error('The program is not bundled: run "scripts/setup dashboard".')
  return join(root, 'dist/program')
}

/** Copies the files that the packages of package.json need to run, and Node.js. */
async function copyPackages(target: string): Promise<void> {
  for (const path of neededPackages(lockedPackages(root))) {
    await copyPackage(join(root, path), join(target, path.slice('node_modules/'.length)))
  }
  await mkdir(join(target, '.bin'))
  await symlink('../node/bin/node', join(target, '.bin/node'))
}

const code = new Set(['.js', '.cjs', '.mjs', '.json', '.node', '.wasm'])
/** Top-level folders of packages that nothing imports from; `fp` is lodash's, a third of all files. */
const unused = /^(tests?|__tests__|docs?|examples?|bench(marks?)?|coverage|fp|\..*)$/
/** The only package whose native code is compiled here, and the files of it that are needed to run. */
const compiled = {
  name: 'sqlite3',
  runs: /^(package\.json|LICENSE|lib|lib\/.*\.js|build|build\/Release|build\/Release\/[^/]+\.node)$/,
}
/** Native code for one system, for packages that ship it for several. */
const platform = `${process.platform}-${process.arch}`

async function copyPackage(source: string, target: string): Promise<void> {
  const isRun = (path: string, isFolder: boolean): boolean => {
    const [top = '', second = ''] = path.split('/')
    if (basename(source) === compiled.name) return compiled.runs.test(path)
    if (top === 'node_modules') return false // listed on their own
    if (top === 'prebuilds' && second !== '' && second !== platform) return false
    if (isFolder) return path !== top || !unused.test(top)
    return path === 'bin/node' || code.has(extname(path)) || licenseFile.test(basename(path))
  }
  await copyFolder(source, target, isRun)
}

type IsWanted = (path: string, isFolder: boolean) => boolean

async function copyFolder(source: string, target: string, isWanted: IsWanted = () => true): Promise<void> {
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const from = join(source, entry.name)
    const to = join(target, entry.name)
    if (entry.isSymbolicLink() || !isWanted(entry.name, entry.isDirectory())) continue
    if (entry.isFile()) await copy(from, to)
    else await copyFolder(from, to, (path, isFolder) => isWanted(`${entry.name}/${path}`, isFolder))
  }
}

/** Readable by everyone and writable by its owner, regardless of its previous mode. */
async function copy(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await copyFile(source, target, constants.COPYFILE_FICLONE)
  const isProgram = basename(target) === 'node' || /^(listd|is-built|nats-server)$/.test(basename(target))
  await chmod(target, isProgram ? 0o755 : 0o644)
}

const options = { 'nats-server': { type: 'string' }, commit: { type: 'string' } } as const
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [folder, ...others] = positionals
if (folder === undefined || others.length > 0) {
  process.stderr.write(usage)
  process.exit(2)
}
process.umask(0o022)
await assemble(folder, {
  natsServer: values['nats-server'] ?? (await downloadedNatsServer()),
  // The image is built outside a repository, and `--commit` may be missing.
  commit: values.commit || (await findCommit(root)),
})
