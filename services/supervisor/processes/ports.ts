import type { Config } from '#shared/config/load.ts'

/** A configured port and the host to listen on; null is every address of the machine. */
export type PortSetting = { key: string; variable: string; port: number; host: string | null }

/** The ports of everything that `listd start` starts; 0: any free port, or no port is opened. */
export function portSettings({ gateway, identity, dispatcher, ops }: Config): PortSetting[] {
  const opsPorts = { gateway: gateway.opsPort, identity: identity.opsPort, dispatcher: dispatcher.opsPort }
  return [
    { key: 'gateway.port', variable: 'LISTD_GATEWAY_PORT', port: gateway.port, host: gateway.host },
    ...Object.entries(opsPorts).map(([name, port]) => ({
      key: `${name}.opsPort`,
      variable: `LISTD_${name.toUpperCase()}_OPS_PORT`,
      port,
      host: ops.host || null,
    })),
  ]
}

/** A port shared by two settings. */
export type SamePort = { port: number; first: PortSetting; second: PortSetting }

/** Services on separate machines may share a port, so no rule of the configuration forbids it. */
export function findSamePorts(config: Config): SamePort[] {
  const used = portSettings(config).filter(({ port }) => port !== 0)
  return used.flatMap((second, n) => {
    const first = used.slice(0, n).find(({ port }) => port === second.port)
    return first ? [{ port: second.port, first, second }] : []
  })
}

/** A message that two settings have the same port. */
export function describeSamePort({ port, first, second }: SamePort): string {
  return `${first.key} and ${second.key} are both ${port}`
}
