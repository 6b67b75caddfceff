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
 * The commit of the listd in a folder, followed by `-dirty` if files were changed since: from the file that a build writes, or from git
 * for a checkout. Null if neither knows it.
 */
export async function findCommit(folder: string): Promise<string | null> {
  const written = await readFile(join(folder, commitFile), 'utf8').catch(() => '')
  if (written !== '') return written.trim()
  // Outside a repository of listd, git would report any repository that contains the folder.
  if (!existsSync(join(folder, '.git'))) return null
  const options = { cwd: folder, env: foreignEnvironment(), timeout: withinMs }
  return promisify(execFile)('git', describe, options).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  )
}
