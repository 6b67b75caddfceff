import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** Where `scripts/setup tests` installs a missing Node.js. */
const installed = join(import.meta.dirname, '../../../node_modules/.cache/node-20/node_modules')

/** A Node.js of this major version. @throws Error when it is not installed */
export async function getNode(major: number): Promise<string> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...installedFolders()]
  for (const folder of folders) {
    const program = join(folder, 'node')
    const { stdout } = await promisify(execFile)(program, ['--version']).catch(() => ({ stdout: '' }))
    if (stdout.startsWith(`v${major}.`)) return program
  }
  throw new Error(`there is no Node.js ${major}: "scripts/setup tests" installs it`)
}

function installedFolders(): string[] {
  try {
    return readdirSync(installed).flatMap((name) => (name.startsWith('node-') ? [join(installed, name, 'bin')] : []))
  } catch {
    return []
  }
}
