import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { until } from '../assertions/until.ts'
import { findFolderOf } from '../backends/find-program.ts'
import { freePort } from '../processes/free-port.ts'
import { testProcess } from '../processes/process.ts'
import { makeAuthority } from '../receivers/certificate.ts'
import { testFolder } from '../test-context/folder.ts'

export type ProxyName = 'nginx' | 'caddy'

/** A proxy on 127.0.0.1; `ca`: the authority of its certificate, which is for localhost and 127.0.0.1. */
export type RunningProxy = { port: number; ca: string }

type Place = { folder: string; port: number; listdPort: number; certificate: string; key: string }
type Recipe = { command(program: string, folder: string): string[]; configuration(block: string, place: Place): string }

const recipes: Readonly<Record<ProxyName, Recipe>> = {
  nginx: {
    command: (program, folder) => [program, '-e', 'stderr', '-p', folder, '-c', join(folder, 'configuration')],
    configuration: (block, { folder, port, listdPort, certificate, key }) => {
      const site = block
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace('127.0.0.1:3000', `127.0.0.1:${listdPort}`)
        .replace('/etc/nginx/listd/certificate.pem', certificate)
        .replace('/etc/nginx/listd/key.pem', key)
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`)
      // Without a separate process for each worker, nothing outlives the one that the test kills.
      return `daemon off; master_process off; pid ${folder}/pid; events {}\nhttp { access_log off; ${paths.join(' ')}\n${site}}\n`
    },
  },
  caddy: {
    command: (program, folder) => [program, 'run', '--adapter', 'caddyfile', '--config', join(folder, 'configuration')],
    configuration: (block, { port, listdPort, certificate, key }) => {
      const site = block
        .replace(
          'lists.example.com {',
          `https://127.0.0.1:${port}, https://localhost:${port} {\n\ttls ${certificate} ${key}`,
        )
        .replace('127.0.0.1:3000', `127.0.0.1:${listdPort}`)
      return `{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n${site}`
    },
  },
}

/** Where the program is; null if it is not installed. */
export async function findProxy(name: ProxyName): Promise<string | null> {
  const folder = await findFolderOf([name], ['/usr/sbin', '/usr/bin'])
  return folder && join(folder, name)
}

/**
 * Starts a proxy in front of a port, with the configuration on the page about it; only its ports and paths differ.
 * @param options.without configuration lines to omit, so that the proxy uses its defaults
 */
export async function startProxy(
  t: ExecutionContext,
  { name, program, listdPort, without }: { name: ProxyName; program: string; listdPort: number; without?: RegExp },
): Promise<RunningProxy> {
  const folder = await testFolder(t)
  const [port, authority] = [await freePort(), makeAuthority()]
  const issued = authority.issue()
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  await writeFile(certificate, issued.cert)
  await writeFile(key, issued.key)
  const page = await readFile(join(import.meta.dirname, `../../../docs/recipes/${name}.md`), 'utf8')
  const [, block = ''] = new RegExp(`^\`\`\`${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? []
  const { command, configuration } = recipes[name]
  const kept = without ? block.replace(without, '') : block
  if (without && kept === block) throw new Error(`the page about ${name} has nothing of ${without}`)
  await writeFile(join(folder, 'configuration'), configuration(kept, { folder, port, listdPort, certificate, key }))
  await mkdir(join(folder, 'home'))
  const [first = '', ...args] = command(program, folder)
  const proxy = testProcess(t, [first, ...args], { env: { HOME: join(folder, 'home') } })
  const answers = async () => {
    if (proxy.child.exitCode !== null) throw new Error(`${name} has ended: ${proxy.stderr()}`)
    return isOpen(port)
  }
  await until(answers, { what: `${name} to listen` })
  return { port, ca: authority.cert }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
