import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const page = join(import.meta.dirname, '../../../docs/operating.md')

/** Creates the secrets of compose.yaml in a folder, with the commands that docs/operating.md has before `docker compose`. */
export async function makeSecrets(folder: string): Promise<void> {
  const [, text = ''] = readFileSync(page, 'utf8').split('## Compose')
  const [, steps = ''] = /^```sh\n([\s\S]*?)^docker compose/m.exec(text) ?? []
  await mkdir(join(folder, 'deploy'), { recursive: true })
  await promisify(execFile)('sh', ['-euc', steps], { cwd: folder })
}
