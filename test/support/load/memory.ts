import { once } from 'node:events'
import { until } from '../assertions/until.ts'
import type { Listd } from '../processes/listd.ts'
import type { Service } from '../processes/runner.ts'

/** The environment of listd for `heldMb`: the inspector uses a free port when it is opened. */
export const inspectable = { NODE_OPTIONS: '--inspect-port=0' }

/** A process with this environment, and its output so far. */
export type Inspectable = { pid: number; output(): string }

/**
 * Megabytes of the objects and buffers of a service after a garbage collection, queried with Node's inspector. Its resident memory
 * would be less precise: it varies by tens of megabytes as V8 sizes its young generation.
 */
export function heldMb(listd: Listd, service: Service): Promise<number> {
  return collectGarbage({ pid: listd.pidOf(service), output: listd.output })
}

/** Collects the garbage of a process, which releases the memory. @returns megabytes of the objects and buffers that remain */
export async function collectGarbage(inspected: Inspectable): Promise<number> {
  const socket = new WebSocket(await inspectorOf(inspected))
  await once(socket, 'open')
  const ask = async (id: number, method: string, params = {}) => {
    const answered = once(socket, 'message')
    socket.send(JSON.stringify({ id, method, params }))
    const [{ data }] = await answered
    return JSON.parse(data).result
  }
  await ask(1, 'HeapProfiler.collectGarbage')
  const { result } = await ask(2, 'Runtime.evaluate', { expression: held })
  socket.close()
  return result.value / 1024 / 1024
}

const held = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())'

/** The signal opens the inspector; a second signal finds it open. */
async function inspectorOf({ pid, output }: Inspectable): Promise<string> {
  process.kill(pid, 'SIGUSR1')
  const address = () => /Debugger listening on (ws:\S+)/.exec(output())?.[1]
  await until(() => address() !== undefined, { what: 'the inspector' })
  return address() ?? ''
}
