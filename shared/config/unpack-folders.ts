import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { unpackVariable } from './sources/env-name.ts'
import type { Env } from './sources/from-env.ts'

/**
 * The folders into which the executable may unpack itself, best first: only that of `LISTD_UNPACK_DIR` if set; otherwise the user's cache
 * folder, then a folder for temporary files for users without one.
 */
export function unpackFolders(env: Env = process.env): string[] {
  const chosen = env[unpackVariable]
  if (chosen) return [resolve(chosen)]
  const caches = cacheFolder(env)
  return [...(caches === null ? [] : [join(caches, 'listd')]), join(tmpdir(), `listd-${process.getuid?.()}`)]
}

/** Freedesktop's folder for caches; null for a user who has no home. */
function cacheFolder({ XDG_CACHE_HOME: caches = '', HOME: home }: Env): string | null {
  if (isAbsolute(caches)) return caches
  try {
    const folder = home ?? homedir()
    return isAbsolute(folder) ? join(folder, '.cache') : null
  } catch {
    return null
  }
}
