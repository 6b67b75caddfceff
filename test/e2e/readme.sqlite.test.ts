import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { freePort } from '../support/processes/free-port.ts'
import { patientCurl, readmeTour, tourAnswers } from '../support/processes/readme-tour.ts'

const root = join(import.meta.dirname, '../..')

/** A copy of the project as a clone would have it, with the packages that are installed here. */
async function copyOfProject(folder: string): Promise<void> {
  const left = new Set(['node_modules', '.git', 'data'])
  await cp(root, folder, {
    recursive: true,
    preserveTimestamps: true,
    filter: (source) => !left.has(source.slice(root.length + 1)),
  })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
}

test("README's tour runs in an empty folder as it is written", async (t) => {
  const folder = await mkdtemp(`${tmpdir()}/listd-readme-`)
  await copyOfProject(folder)
  const ports = { api: await freePort(), receiver: await freePort() }
  await writeFile(join(folder, '.curlrc'), patientCurl)
  const env = { ...process.env, LISTD_GATEWAY_PORT: String(ports.api), CURL_HOME: folder }
  const shell = spawn('bash', ['-c', await readmeTour({ ports })], { cwd: folder, env, detached: true })
  t.teardown(async () => {
    if (shell.pid) process.kill(-shell.pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve) => shell.on('exit', resolve))
  t.is(code, 0, output)
  for (const answer of tourAnswers) t.regex(output, answer)
})
