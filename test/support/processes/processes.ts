import { readdirSync, readFileSync } from 'node:fs'
import { until } from '../assertions/until.ts'

/** A process and all its descendants, as Linux lists them now. */
export function processTree(root: number): { pid: number; parent: number; command: string }[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readOrEmpty(`/proc/${name}/stat`) : ''
    const parent = /\) \S (\d+)/.exec(stat)?.[1]
    if (parent) parents.set(Number(name), Number(parent))
  }
  const inTree = (pid: number): boolean => pid === root || (parents.has(pid) && inTree(parents.get(pid) ?? 0))
  return [...parents].filter(([pid]) => inTree(pid)).map(([pid, parent]) => ({ pid, parent, command: commandOf(pid) }))
}

/** Every process of a data directory: ours have it in their environment, nats-server and its guard in their arguments. */
export function processesOn(dataDir: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: commandOf(Number(name)) }))
    .filter(({ pid, command }) => command.includes(dataDir) || settingOf(pid) === dataDir)
}

/** Waits until these processes of a data directory have ended, or else all of them. */
export async function untilGone(dataDir: string, pids?: readonly number[]): Promise<void> {
  const awaited = new Set(pids)
  const areGone = () => {
    if (!pids) for (const { pid } of processesOn(dataDir)) awaited.add(pid)
    return [...awaited].every(hasEnded)
  }
  await until(areGone, { withinMs: 60_000, what: 'the end of the processes' })
}

/**
 * Whether a process has ended and closed its files and sockets; its parent may not have collected it. A process that is ending has no
 * arguments and no environment any more, but may still have its port.
 */
export function hasEnded(pid: number): boolean {
  const threads = threadsOf(pid)
  return threads.length === 0 || (threads.length === 1 && /\) [ZX] /.test(readOrEmpty(`/proc/${pid}/stat`)))
}

/** Waits until SIGSTOP has stopped every thread of processes: on a busy machine one may continue for a while. */
export function untilStopped(pids: readonly number[]): Promise<void> {
  return until(() => pids.every(isStopped) || pids.filter((pid) => !isStopped(pid)), {
    what: 'the processes to stand still',
  })
}

/** Whether a process is stopped: all its threads are, or it has ended. */
function isStopped(pid: number): boolean {
  return threadsOf(pid).every((thread) => /\) T /.test(readOrEmpty(`/proc/${pid}/task/${thread}/stat`)))
}

/** The ids of its threads; empty if it has just ended. */
export function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function settingOf(pid: number): string | undefined {
  return /(?:^|\0)LISTD_DATA_DIR=([^\0]*)/.exec(readOrEmpty(`/proc/${pid}/environ`))?.[1]
}

function commandOf(pid: number): string {
  return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
}

/** The content of a process's file; empty when the process has just ended. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
