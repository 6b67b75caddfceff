import { runService, type StartService } from '#shared/lifecycle/run-service.ts'
import type { ServiceName } from '../service-names.ts'

/** Each is loaded only in its own process. */
const services: Readonly<Record<ServiceName, () => Promise<{ startService: StartService }>>> = {
  gateway: () => import('#services/gateway/main.ts'),
  identity: () => import('#services/identity/main.ts'),
  'webhook-dispatcher': () => import('#services/webhook-dispatcher/main.ts'),
}

/** `listd service <name>`: one service in this process. */
export async function service(name: ServiceName, options: { instance?: string; replaces?: string[] }): Promise<void> {
  await runService(name, async (context) => (await services[name]()).startService(context), options)
}
