import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { OnLoadResult, Plugin } from 'esbuild'

/**
 * Bundles the program into `dist/program`: the sources and the packages in a few files, which Node.js loads in half the time and with a
 * quarter less memory. `scripts/listd` runs it unless a source is newer (`scripts/program/is-built`).
 */
const root = join(import.meta.dirname, '../..')
const output = join(root, 'dist/program')

// The packages of the dashboard are installed wherever listd is started from its sources; those for development are not.
const { build } = createRequire(join(root, 'services/dashboard/package.json'))('esbuild') as typeof import('esbuild')

/** The entry points: sources by the names of their files in the bundle. */
const entryPoints = {
  main: 'services/supervisor/main.ts',
  'thread-main': 'services/gateway/validation/thread-main.ts',
}

/** Packages with native code, and optional packages of knex and others. */
const external = [
  'sqlite3',
  'sodium-native',
  'better-sqlite3',
  'mariadb',
  'mysql',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'tedious',
]

/** Packages that are CommonJS call it. */
const banner = `import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)`

/** The program reads files next to its sources, and finds them relative to the bundle, even if both were moved together. */
const places: Plugin = {
  name: 'places',
  setup: ({ onLoad }) => onLoad({ filter: /\/(services|shared)\/.*\.ts$/ }, ({ path }) => load(path)),
}

/** Otherwise the names that a CommonJS package exports would be missing. */
const packagesNowAndThen: Plugin = {
  name: 'packages that are imported now and then',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^.#/]/ }, ({ kind, path }) => {
      if (kind !== 'dynamic-import') return null
      return {
        errors: [
          { text: `import() of ${path} is not supported: export what is needed from a file, and import() the file` },
        ],
      }
    }),
}

function load(path: string): OnLoadResult | null {
  const text = readFileSync(path, 'utf8')
  if (!text.includes('import.meta.')) return null
  const folder = dirname(path)
  const contents = text
    .replaceAll(/new URL\('(\.\/[^']+\.ts)', import\.meta\.url\)/g, (_, target) => urlOf(join(folder, target)))
    .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${relative(output, folder)}`)})`)
  return { contents, loader: 'ts' }
}

/** @throws Error for a file that is not an entry point, because the bundle would not contain it */
function urlOf(path: string): string {
  const entry = Object.entries(entryPoints).find(([, source]) => join(root, source) === path)
  if (!entry) throw new Error(`${relative(root, path)} is not an entry point of the bundle`)
  return `new URL('./${entry[0]}.js', import.meta.url)`
}

/** Moves the build into place, `main.js` last: until then `is-built` says that the bundle is old. */
function replaceBundle(draft: string, builtAt: Date): void {
  mkdirSync(output, { recursive: true })
  const files = readdirSync(draft)
  for (const file of files.toSorted((a, b) => Number(a === main) - Number(b === main))) {
    // A source that was saved during the build is newer.
    utimesSync(join(draft, file), builtAt, builtAt)
    renameSync(join(draft, file), join(output, file))
  }
  for (const file of readdirSync(output)) {
    const path = join(output, file)
    if (!files.includes(file) && statSync(path).mtimeMs < builtAt.getTime() - keptMs) rmSync(path)
  }
}

const main = 'main.js'
/** A running listd may still import files that it was started with. */
const keptMs = 7 * 24 * 60 * 60 * 1_000

const builtAt = new Date()
mkdirSync(dirname(output), { recursive: true })
const draft = mkdtempSync(join(dirname(output), '.program-'))
try {
  // Each module exists once, as in the sources: in two files, an error would have two classes.
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir: draft,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external,
    inject: [join(import.meta.dirname, 'source-positions.ts')],
    banner: { js: banner },
    plugins: [places, packagesNowAndThen],
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  })
  replaceBundle(draft, builtAt)
} finally {
  rmSync(draft, { recursive: true, force: true })
}
