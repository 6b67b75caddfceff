import type { ChildProcess } from 'node:child_process'
import { killNow, type Listd } from '../processes/listd.ts'
import { endOf } from '../processes/runner.ts'

/** Two gateways of one listd, which can be killed; clients choose one at random, and the other if it does not answer. */
export type GatewayPair = {
  /** Their ports: of the gateway that the supervisor restarts, and of the other. */
  ports: readonly number[]
  /** One of them, which may have just ended. */
  port(): number
  /** Sends a request to one of them, regardless of its address. */
  fetch: typeof fetch
  /** Kills the first, and waits until the supervisor has started it again. */
  killFirst(): Promise<void>
  /** Ends the other, with SIGKILL or like an operator, and starts it again. */
  replaceSecond(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

export async function gatewayPair(listd: Listd, random: () => number): Promise<GatewayPair> {
  let second: ChildProcess = await listd.startService('gateway')
  let firstPid = listd.pidOf('gateway')
  const portOf = (pid: number | undefined) => {
    const started = listd.logged('"publicUrl":"http').findLast((line) => line.pid === pid)
    return Number(new URL(String(started?.publicUrl)).port)
  }
  const ports = [portOf(firstPid), portOf(second.pid)]
  const port = () => ports[random() < 0.5 ? 0 : 1] ?? 0
  return {
    ports,
    port,
    fetch(input, init) {
      const url = new URL(String(input))
      url.port = String(port())
      return fetch(url, init)
    },
    async killFirst() {
      killNow(firstPid)
      await listd.replaced('gateway', firstPid)
      firstPid = listd.pidOf('gateway')
      ports[0] = portOf(firstPid)
    },
    async replaceSecond(signal) {
      second.kill(signal)
      await endOf(second)
      second = await listd.startService('gateway')
      ports[1] = portOf(second.pid)
    },
  }
}
