import { runService, type StartService } from '#shared/lifecycle/run-service.ts'

/** The only list of all services; each is loaded only in its own process. */
const services: Readonly<Record<string, () => Promise<{ startService: StartService }>>> = {
  gateway: () => import('#services/gateway/main.ts'),
  identity: () => import('#services/identity/main.ts'),
  'webhook-dispatcher': () => import('#services/webhook-dispatcher/main.ts'),
}

/** `listd service <name>`: one service in this process. */
export async function service(name: string, options: { instance?: string; replaces?: string[] }): Promise<void> {
  const load = Object.hasOwn(services, name) ? services[name] : undefined
  if (!load) throw new Error(`there is no service "${name}"; the services are ${Object.keys(services).join(', ')}.`)
  await runService(name, async (context) => (await load()).startService(context), options)
}
