import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Encoding } from './accepted-encoding.ts'

/** A file of the page in all its encodings. `tag` is a hash of its content. */
export type PageFile = {
  type: string
  tag: string
  plain: Buffer
  encoded: ReadonlyMap<Encoding, Buffer>
}

/** The files by their paths below /dashboard/. */
export type BuiltPage = ReadonlyMap<string, PageFile>

export type DashboardFiles = {
  /**
   * The current build; null: nothing is built. While a build is being replaced, this returns the previous one.
   * @throws Error when the files exist but cannot be read
   */
  current(): Promise<BuiltPage | null>
}

/** Where services/dashboard/build.ts puts the page. */
export const defaultFolder = join(import.meta.dirname, '../../../../dist/dashboard')

/** Keeps the files of a folder in memory. They are read at the first request, and when the time of manifest.json has changed. */
export function createDashboardFiles(folder: string = defaultFolder): DashboardFiles {
  const manifest = join(folder, 'manifest.json')
  let kept: { changedAt: number; page: BuiltPage } | null = null
  let reading: Promise<void> | null = null

  async function read(changedAt: number): Promise<void> {
    kept = { changedAt, page: await readPage(folder, manifest) }
  }

  return {
    async current() {
      try {
        const { mtimeMs } = await stat(manifest)
        if (mtimeMs !== kept?.changedAt) {
          reading ??= read(mtimeMs).finally(() => {
            reading = null
          })
          await reading
        }
      } catch (error) {
        if (!isMissing(error)) throw error
      }
      return kept?.page ?? null
    },
  }
}

/** The content of manifest.json: an entry by build.ts for each file. */
type Manifest = { files: Record<string, { type: string; encodings: readonly Encoding[] }> }

async function readPage(folder: string, manifest: string): Promise<BuiltPage> {
  const { files } = JSON.parse(await readFile(manifest, 'utf8')) as Manifest
  const entries = Object.entries(files).map(async ([path, { type, encodings }]): Promise<[string, PageFile]> => {
    const plain = await readFile(join(folder, path))
    const encoded = encodings.map(async (name): Promise<[Encoding, Buffer]> => {
      return [name, await readFile(join(folder, `${path}.${suffixes[name]}`))]
    })
    const tag = hash('sha256', plain, 'base64url')
    return [path, { type, tag, plain, encoded: new Map(await Promise.all(encoded)) }]
  })
  return new Map(await Promise.all(entries))
}

const suffixes = { br: 'br', gzip: 'gz' } as const

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
