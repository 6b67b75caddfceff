import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSync } from 'esbuild'
import { pack } from '#services/supervisor/executable/archive.ts'
import { findNatsServer } from '#services/supervisor/processes/find-program.ts'
import { loadConfig } from '#shared/config/load.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { billOfMaterials } from './bill-of-materials.ts'

const usage = `Builds listd as one executable file, with checksums and a bill of materials next to it.
node scripts/executable/build.ts FOLDER    the folder that they are written into
`

const root = join(import.meta.dirname, '../..')
const name = `listd-${process.platform}-${process.arch}`
/** Node.js looks for this text in itself, and runs the application inside when the last digit is 1. */
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** Builds everything in a draft folder, and moves the results into place when it is complete. */
async function build(target: string): Promise<void> {
  if (process.platform !== 'linux') throw new Error('the executable is for Linux, and can only be built there.')
  const node = realpathSync(join(root, 'node_modules/node/bin/node'))
  const natsServer = await findNatsServer(loadConfig())
  mkdirSync(target, { recursive: true })
  const draft = mkdtempSync(join(target, '.draft-'))
  try {
    const executable = join(draft, name)
    copyFileSync(node, executable)
    const blob = createBlob(draft, { node, natsServer })
    const postject = join(root, 'node_modules/postject/dist/cli.js')
    const injection = [executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', sentinelFuse]
    execFileSync(node, [postject, ...injection], { stdio: 'pipe' })
    chmodSync(executable, 0o755)
    writeFileSync(join(draft, 'listd.cdx.json'), await billOfMaterials({ executable, node, natsServer }))
    const results = [name, 'listd.cdx.json']
    writeFileSync(join(draft, 'SHA256SUMS'), results.map((file) => sum(draft, file)).join(''))
    for (const file of [...results, 'SHA256SUMS']) renameSync(join(draft, file), join(target, file))
    const native = globSync(join(draft, 'image/**/*.node'))
    process.stdout.write(
      `${join(target, name)} runs on Linux with glibc ${neededGlibc([node, natsServer, ...native])}\n`,
    )
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Writes the blob that Node.js finds inside itself: the launcher, and the archive that it unpacks. @returns its path */
function createBlob(draft: string, programs: { node: string; natsServer: string }): string {
  const { index, contents } = pack(assembleApp(draft, programs), packageFile.version)
  const inDraft = (file: string) => join(draft, file)
  writeFileSync(inDraft('index.json'), JSON.stringify(index))
  writeFileSync(inDraft('contents.zst'), contents)
  const launcher = join(root, 'services/supervisor/executable/launch.ts')
  const format = { bundle: true, platform: 'node', format: 'cjs', target: 'node24' } as const
  buildSync({ entryPoints: [launcher], outfile: inDraft('launch.cjs'), absWorkingDir: root, ...format })
  // The paths become part of the blob, so they are those within the draft.
  const settings = {
    main: 'launch.cjs',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    assets: { index: 'index.json', contents: 'contents.zst' },
  }
  writeFileSync(inDraft('sea.json'), JSON.stringify(settings))
  execFileSync(programs.node, ['--experimental-sea-config', 'sea.json'], { cwd: draft, stdio: 'pipe' })
  return inDraft('blob')
}

/** The files that the executable unpacks: listd's files of the image, without Node.js, which the executable itself is, and with nats-server. */
function assembleApp(draft: string, { node, natsServer }: { node: string; natsServer: string }): string {
  const image = join(draft, 'image')
  execFileSync(node, [join(root, 'scripts/assemble.ts'), image, '--nats-server', natsServer])
  const app = join(image, 'opt/listd')
  for (const part of ['scripts', 'deploy', 'node_modules/.bin', 'node_modules/node/bin']) {
    rmSync(join(app, part), { recursive: true })
  }
  return app
}

/** The oldest version of glibc that has every symbol that these programs and libraries need. */
function neededGlibc(paths: readonly string[]): string {
  const found = paths.flatMap((path) => [...readFileSync(path, 'latin1').matchAll(/GLIBC_2\.(\d+)/g)])
  return `2.${Math.max(...found.map(([, minor]) => Number(minor)))}`
}

/** A line as `sha256sum --check` reads it. */
function sum(folder: string, file: string): string {
  return `${hash('sha256', readFileSync(join(folder, file)))}  ${file}\n`
}

const { positionals } = parseArgs({ allowPositionals: true })
const [folder, ...others] = positionals
if (folder === undefined || others.length > 0) {
  process.stderr.write(usage)
  process.exit(2)
}
await build(folder)
