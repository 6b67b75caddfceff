import { get } from 'node:http'
import type { Config } from '#shared/config/load.ts'
import { isFree } from '../nats/port.ts'
import { type Check, type CheckResult, type DoctorContext, ok, wrong } from './check.ts'

/** A port that is configured, and the host it is listened on; null is every address of the machine. */
type Listening = { key: string; variable: string; port: number; host: string | null }

const patienceMs = 1_000
const everyAddress = new Set(['0.0.0.0', '::'])

/** Whether each port is free, or is served by the listd that runs on this data directory. */
export const ports: Check = {
  name: 'ports',
  async run({ config, running }: DoctorContext): Promise<CheckResult[]> {
    const wanted = listeningOf(config).filter(({ port }) => port !== 0)
    const twice = wanted.filter(({ port }, n) => wanted.findIndex((other) => other.port === port) < n)
    if (twice.length > 0)
      return twice.map(({ key, variable, port }) =>
        wrong(`${key} is ${port}, which another setting has`, `set ${variable}`),
      )
    if (wanted.length === 0) return [ok('any free one is taken')]
    return Promise.all(wanted.map((one) => lookAtPort(one, running)))
  },
}

function listeningOf({ gateway, identity, dispatcher }: Config): Listening[] {
  const ops = { gateway: gateway.opsPort, identity: identity.opsPort, dispatcher: dispatcher.opsPort }
  return [
    { key: 'gateway.port', variable: 'LISTD_GATEWAY_PORT', port: gateway.port, host: gateway.host },
    ...Object.entries(ops).map(([name, port]) => ({
      ...{ key: `${name}.opsPort`, variable: `LISTD_${name.toUpperCase()}_OPS_PORT` },
      ...{ port, host: null },
    })),
  ]
}

async function lookAtPort({ key, variable, port, host }: Listening, running: boolean): Promise<CheckResult> {
  if (await isFree(host, port)) return ok(`${port} (${key}) is free`)
  const ours = await answersHealth(port, host)
  if (ours && running) return ok(`${port} (${key}) is served by the listd that runs`)
  const who = ours ? 'another listd, which runs on another data directory' : 'another program'
  return wrong(`${port} (${key}) is taken by ${who}`, `stop it, or choose another port with ${variable}`)
}

/** Whether what listens on this machine's port answers as a process of listd does. */
function answersHealth(port: number, host: string | null): Promise<boolean> {
  const target = { port, host: host === null || everyAddress.has(host) ? 'localhost' : host, path: '/health/live' }
  return new Promise((resolve) => {
    const request = get({ ...target, timeout: patienceMs, agent: false }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text = (text + chunk).slice(0, 100)
      resolve(response.statusCode === 200 && text.startsWith('{"status":"ok"'))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}
