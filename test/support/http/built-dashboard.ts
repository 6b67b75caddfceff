import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** Content types by the suffix of a path. */
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

/** Replaces the build in a folder with these texts, in the form and order of services/dashboard/build.ts. */
export async function buildDashboard(folder: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const created = `${folder}.new`
  const files: Record<string, unknown> = {}
  for (const [path, text] of Object.entries(texts)) {
    const file = join(created, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
    await writeFile(`${file}.gz`, gzipSync(text))
    await writeFile(`${file}.br`, brotliCompressSync(text))
    const type = types[path.slice(path.lastIndexOf('.') + 1)] ?? 'image/svg+xml'
    files[path] = { type, bytes: text.length, encodings: ['br', 'gzip'] }
  }
  await writeFile(join(created, 'manifest.json'), JSON.stringify({ files, firstPaint: [] }))
  await rm(folder, { recursive: true, force: true })
  await rename(created, folder)
}
