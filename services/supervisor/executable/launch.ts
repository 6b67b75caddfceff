import { join } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { pathToFileURL } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { unpackFolders } from '#shared/config/unpack-folders.ts'
import { unpackOnce } from './unpack.ts'

/**
 * What the executable runs first, before anything is unpacked: bundled, it is the only code that Node.js runs from the
 * executable itself. The supervisor then runs in this process.
 */
function launch(): void {
  process.umask(0o077)
  try {
    const archive = {
      index: JSON.parse(getAsset('index', 'utf8')),
      // In one piece: a buffer joined from many stays in the supervisor's memory.
      contents: (size: number) => zstdDecompressSync(Buffer.from(getRawAsset('contents')), { chunkSize: size }),
    }
    const folder = unpackOnce(archive, {
      parents: unpackFolders(),
      // Services rely on the check of the supervisor that starts them; a service restarted later does not.
      checkedWithinMs: process.connected ? 30_000 : 0,
    })
    void import(pathToFileURL(join(folder, 'dist/program/main.js')).href)
  } catch (error) {
    process.stderr.write(`listd: ${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}

launch()
