import { get } from 'node:http'
import { isFree } from '../nats/port.ts'
import { describeSamePort, findSamePorts, type PortSetting, portSettings } from '../processes/ports.ts'
import { type Check, type CheckResult, type DoctorContext, note, ok, wrong } from './check.ts'

/** A busy listd responds late, and must not count as another program. */
const timeoutMs = 10_000
const everyAddress = new Set(['0.0.0.0', '::'])

/** Whether each port is free, or used by the listd that is running on this data directory. */
export const ports: Check = {
  name: 'ports',
  async run({ config, running }: DoctorContext): Promise<CheckResult[]> {
    const same = findSamePorts(config)
    if (same.length > 0) return same.map((one) => wrong(describeSamePort(one), `set ${one.second.variable}`))
    const wanted = portSettings(config).filter(({ port }) => port !== 0)
    if (wanted.length === 0) return [ok('free ones are chosen at each start')]
    return Promise.all(wanted.map((one) => checkPort(one, running)))
  },
}

/** Only the running process knows the options of its `listd start`. */
const sameSettings = (variable: string) =>
  `run the doctor with the same ${variable}, which an option of the start may have replaced`

async function checkPort({ key, variable, port, host }: PortSetting, running: boolean): Promise<CheckResult> {
  if (await isFree(host, port)) {
    if (!running) return ok(`${port} (${key}) is free`)
    return note(`${port} (${key}) is free, so the running listd was started with another port`, sameSettings(variable))
  }
  const ours = await answersHealth(port, host)
  if (ours && running) return ok(`${port} (${key}) is used by the running listd`)
  const owner = ours ? 'a listd on another data directory' : 'another program'
  return wrong(`${port} (${key}) is in use by ${owner}`, `stop it, or choose another port with ${variable}`)
}

/** Whether a process of listd answers at this port. */
export function answersHealth(port: number, host: string | null): Promise<boolean> {
  const target = { port, host: host === null || everyAddress.has(host) ? 'localhost' : host, path: '/health/live' }
  return new Promise((resolve) => {
    const request = get({ ...target, timeout: timeoutMs, agent: false }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text = (text + chunk).slice(0, 100)
      resolve(response.statusCode === 200 && text.startsWith('{"status":"ok"'))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}
