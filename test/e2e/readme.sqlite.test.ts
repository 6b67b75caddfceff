import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'

const root = join(import.meta.dirname, '../..')

/** What a reader would paste, block by block; what goes on running is put in the background and waited for. */
function script(readme: string, ports: { api: number; receiver: number }): string {
  const [, tour = ''] = readme.split('## A tour')
  const blocks = [...tour.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const steps = blocks.map((block) => {
    if (block.endsWith('make start\n'))
      return `${block.trimEnd()} > start.log 2>&1 &\n${waitFor('start.log', 'try it')}`
    if (block.includes('node receiver.mjs &')) {
      return `${block.replace('node receiver.mjs &', 'node receiver.mjs > receiver.log &')}\n${waitFor('receiver.log', 'listening')}`
    }
    return `${block}\necho`
  })
  return ['set -euo pipefail', ...steps, waitFor('receiver.log', 'received'), 'cat receiver.log']
    .join('\n')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.api}`)
    .replaceAll('8443', String(ports.receiver))
}

const waitFor = (file: string, text: string) =>
  `for i in $(seq 1200); do grep -q '${text}' ${file} && break; sleep 0.1; done; grep '${text}' ${file}`

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

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
  const text = script(await readFile(join(root, 'README.md'), 'utf8'), ports)
  // On a busy machine signing in is 503 until the password's hash has its turn: a reader would send it again.
  await writeFile(join(folder, '.curlrc'), 'retry = 60\nretry-max-time = 180\n')
  const env = { ...process.env, LISTD_GATEWAY_PORT: String(ports.api), CURL_HOME: folder }
  const shell = spawn('bash', ['-c', text], { cwd: folder, env, detached: true })
  t.teardown(async () => {
    if (shell.pid) process.kill(-shell.pid, 'SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve) => shell.on('exit', resolve))
  t.is(code, 0, output)
  t.regex(output, /"applied":true/)
  t.regex(output, /"title":"Pancakes"/)
  t.regex(output, /ITEM_SCHEMA_INVALID.*"pointer":"/)
  t.regex(output, /received item.created \{ slug: 'waffles', title: 'Waffles' \}/)
})
