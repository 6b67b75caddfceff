import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type BuildOptions, type BuildResult, buildSync } from 'esbuild'

const folder = import.meta.dirname
const root = join(folder, '../..')

/** The folder from which the gateway serves the page. */
export const defaultOutput = join(root, 'dist/dashboard')

/** A file of the page. `type` is its content type; `encodings` are the compressed variants next to it, `<path>.br` and `<path>.gz`. */
export type PageFile = { type: string; bytes: number; gzipBytes: number; encodings: readonly ('br' | 'gzip')[] }

/**
 * The result of a build: its files by path below /dashboard/, the files that the first paint needs, and the packages whose code is
 * bundled, by their paths in package-lock.json.
 */
export type Manifest = {
  files: Record<string, PageFile>
  firstPaint: readonly string[]
  packages: readonly string[]
}

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/**
 * Bundles the page into `output`: scripts and styles with a content hash in their names, each also compressed. All files are
 * written to another folder first, so that a reader finds a complete page or none.
 */
export function build(output: string = defaultOutput): Manifest {
  const result = bundle()
  const files = new Map<string, Buffer>()
  const first = bundleFirstPaint()
  for (const { path, contents } of [...first.outputFiles, ...result.outputFiles])
    files.set(`assets/${basename(path)}`, Buffer.from(contents))
  files.set('assets/mark.svg', readFileSync(join(folder, 'mark.svg')))
  const entry = { ...entryOf(result), first: Object.keys(first.metafile.outputs)[0] ?? '' }
  files.set('index.html', Buffer.from(indexPage(entry)))
  const firstPaint = ['index.html', 'assets/mark.svg', entry.first, entry.script, entry.style, ...entry.imports]
  return write(output, files, { firstPaint, packages: packagesIn(result) })
}

type Bundle = BuildResult<{ write: false; metafile: true }>
type Entry = { script: string; style: string; imports: readonly string[] }

/** A separate script that is not a module: the browser executes it before it paints anything. */
function bundleFirstPaint(): Bundle {
  return buildSync({ ...common, entryPoints: { first: join(folder, 'first-paint.ts') }, format: 'iife' })
}

function bundle(): Bundle {
  return buildSync({
    ...common,
    entryPoints: { main: join(folder, 'main.tsx') },
    splitting: true,
    format: 'esm',
    chunkNames: '[name]-[hash]',
  })
}

const common = {
  outdir: 'assets',
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'browser',
  target: ['chrome123', 'firefox128', 'safari17.5'],
  entryNames: '[name]-[hash]',
  tsconfig: join(folder, 'tsconfig.json'),
  legalComments: 'none',
  loader: { '.md': 'text' },
  metafile: true,
  write: false,
} as const satisfies BuildOptions

/** The script and the style of the page's HTML, and the chunks that the script imports statically. */
function entryOf({ metafile }: Bundle): Entry {
  for (const [path, output] of Object.entries(metafile.outputs)) {
    if (output.entryPoint?.endsWith('services/dashboard/main.tsx') && output.cssBundle !== undefined) {
      return { script: path, style: output.cssBundle, imports: staticImports(metafile, path) }
    }
  }
  throw new Error('The bundle has no entry.')
}

function staticImports({ outputs }: Bundle['metafile'], path: string, seen = new Set<string>()): string[] {
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || seen.has(imported)) continue
    seen.add(imported)
    staticImports({ outputs } as Bundle['metafile'], imported, seen)
  }
  return [...seen]
}

/** The packages whose code was bundled. */
function packagesIn({ metafile }: Bundle): string[] {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs))
  const found = inputs.map((path) => /^services\/dashboard\/(.*node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
  return [...new Set(found.filter((path) => path !== undefined))].sort()
}

function indexPage({ first, script, style, imports }: Entry & { first: string }): string {
  const preloads = imports.map((path) => `<link rel="modulepreload" href="/dashboard/${path}">`).join('')
  return readFileSync(join(folder, 'index.html'), 'utf8')
    .replace('<!-- first paint -->', `<script src="/dashboard/${first}"></script>`)
    .replace('<!-- style -->', `<link rel="stylesheet" href="/dashboard/${style}">`)
    .replace('<!-- script -->', `<script type="module" src="/dashboard/${script}"></script>${preloads}`)
}

function write(output: string, files: ReadonlyMap<string, Buffer>, about: Omit<Manifest, 'files'>): Manifest {
  const manifest: Manifest = { files: {}, ...about }
  const created = `${output}.new`
  rmSync(created, { recursive: true, force: true })
  for (const [path, bytes] of files) {
    const file = join(created, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
    const gzip = gzipSync(bytes, { level: 9 })
    writeFileSync(`${file}.gz`, gzip)
    writeFileSync(`${file}.br`, brotli(bytes))
    const type = types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    manifest.files[path] = { type, bytes: bytes.length, gzipBytes: gzip.length, encodings: ['br', 'gzip'] }
  }
  writeFileSync(join(created, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  rmSync(output, { recursive: true, force: true })
  renameSync(created, output)
  return manifest
}

function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}

if (import.meta.main) build(process.argv[2])
