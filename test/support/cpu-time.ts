/**
 * Microseconds of processor time that synchronous work takes: unlike the clock it does not see what else the machine does.
 * The least of three times, because garbage of earlier work is collected in some of them.
 */
export function cpuTime(work: () => unknown): number {
  return Math.min(once(work), once(work), once(work))
}

function once(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
