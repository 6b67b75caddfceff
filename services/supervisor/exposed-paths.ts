import { stat } from 'node:fs/promises'
import type { Config } from '#shared/config/load.ts'
import { keyPath } from './master-key.ts'

/** A path that other users of this machine can access but should not. */
export type ExposedPath = { path: string; to: 'read' | 'write'; fix: string }

/**
 * The key file, if others may read it, and the data directory, if all may write to it: they could replace the database. A directory
 * that a group may write to is accepted: platforms that choose the user create it that way.
 */
export async function findExposedPaths(config: Pick<Config, 'dataDir'>): Promise<ExposedPath[]> {
  const [key, folder] = [keyPath(config), config.dataDir]
  return [
    ...((await modeOf(folder)) & 0o002
      ? [{ path: folder, to: 'write' as const, fix: `run "chmod o-w ${folder}"` }]
      : []),
    ...((await modeOf(key)) & 0o077
      ? [{ path: key, to: 'read' as const, fix: `run "chmod 600 ${key}", then "listd secrets rotate"` }]
      : []),
  ]
}

/** 0 when there is nothing. */
async function modeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mode ?? 0
}
