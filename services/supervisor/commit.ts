import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { foreignEnvironment } from '#shared/config/environment.ts'

/** Where a build keeps the commit that it was built from; `scripts/assemble.ts` writes it. */
export const commitFile = 'commit.txt'

const describe = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
const withinMs = 5_000

/**
 * The commit that the listd in a folder is of, `-dirty` after it where files were changed since: of a build as it was written down,
 * of a checkout as git reports it. Null where neither knows.
 */
export async function findCommit(folder: string): Promise<string | null> {
  const written = await readFile(join(folder, commitFile), 'utf8').catch(() => '')
  if (written !== '') return written.trim()
  // Without a repository of its own, git would report one that the folder happens to be in.
  if (!existsSync(join(folder, '.git'))) return null
  const options = { cwd: folder, env: foreignEnvironment(), timeout: withinMs }
  return promisify(execFile)('git', describe, options).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
}
