import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { unpackVariable } from './sources/env-name.ts'
import type { Env } from './sources/from-env.ts'

/**
 * Where the executable may unpack itself, best first: the folder of `LISTD_UNPACK_DIR` and no other; or else the user's
 * folder for caches, and a folder for temporary files, which do for users who have none.
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
