import { runService, type StartService } from '#shared/lifecycle/run-service.ts'
import type { ServiceName } from '../processes/service-names.ts'
import { reportToSystemd } from '../processes/systemd.ts'

/** Each is loaded only in its own process. */
const services: Readonly<Record<ServiceName, () => Promise<{ startService: StartService }>>> = {
  gateway: () => import('#services/gateway/main.ts'),
  identity: () => import('#services/identity/main.ts'),
  'webhook-dispatcher': () => import('#services/webhook-dispatcher/main.ts'),
}

/** `listd service <name>`: one service in this process. */
export async function service(name: ServiceName, options: { instance?: string; replaces?: string[] }): Promise<void> {
  const start: StartService = async (context) => (await services[name]()).startService(context)
  await runService(name, start, { ...options, onReady: reportToSystemd })
}
