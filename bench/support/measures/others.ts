import { readFileSync } from 'node:fs'

type CpuTimes = { all: number; busy: number; ours: number }

/**
 * Measures, from now on, the share of the machine's CPU time that other programs use. CPU of child processes is known only
 * after they have ended, so none may run at the beginning or the end.
 */
export function watchOthers(): { share(): number } {
  const before = cpuTimes()
  return {
    share() {
      const after = cpuTimes()
      const others = after.busy - before.busy - (after.ours - before.ours)
      return Math.max(0, others / (after.all - before.all))
    },
  }
}

/** In hundredths of a second (proc(5)): the first line of /proc/stat, and this process with its ended children. */
function cpuTimes(): CpuTimes {
  const [machine = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = machine
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const busy = user + nice + system + irq + softIrq + steal
  const own = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const ours = own.slice(11, 15).reduce((total, time) => total + Number(time), 0)
  return { all: busy + idle + ioWait, busy, ours }
}
