import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

const folder = import.meta.dirname

/** The package's entries: `listd-client` itself, and what is imported as `listd-client/<name>`. */
export const entries = ['main', 'manage', 'realtime', 'verify'] as const

/** Bundles each entry into one file of its own: an ES module. */
export function bundle(outdir: string): void {
  buildSync({
    entryPoints: entries.map((name) => join(folder, 'src', `${name}.ts`)),
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
  })
}

function declareTypes(): void {
  const { status } = spawnSync('tsc', ['-p', join(folder, 'tsconfig.json')], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

if (import.meta.main) {
  const outdir = join(folder, 'dist')
  rmSync(outdir, { recursive: true, force: true })
  bundle(outdir)
  declareTypes()
}
