import { execFileSync } from 'node:child_process'

export type RunningProcess = { pid: number; parent: number; command: string }

/** Running processes with an argument that contains the text; the data directory of a test distinguishes them from all others. */
export function processesWith(text: string): RunningProcess[] {
  const lines = execFileSync('ps', ['-ww', '-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    const running = command.includes(text) && !state.startsWith('Z')
    return running ? [{ pid: Number(pid), parent: Number(parent), command }] : []
  })
}

/** The nats-servers of a data directory, without the shells that guard them. */
export function natsServersOf(dataDir: string): number[] {
  return processesWith(`${dataDir}/nats-server.conf`)
    .filter(({ command }) => !command.startsWith('/bin/sh'))
    .map(({ pid }) => pid)
}

/** The shells that guard them. */
export function natsGuardsOf(dataDir: string): number[] {
  return processesWith(`${dataDir}/nats-server.conf`)
    .filter(({ command }) => command.startsWith('/bin/sh'))
    .map(({ pid }) => pid)
}
