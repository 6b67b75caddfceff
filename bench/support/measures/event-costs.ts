import { processTree } from '../../../test/support/processes/processes.ts'
import type { Listd } from '../worlds/listd.ts'
import { type Observation, observe } from './observations.ts'
import { type ThreadUse, threadUse } from './threads.ts'

/** The usage and activity of one process, per event; a process that is not Node.js is observed only from outside. */
export type Cost = ThreadUse & { observed: Observation | null }

/** By the name of the process; the processes of a database server count as one. */
export type Costs = Record<string, Cost>

/**
 * Measures the usage and activity of listd and its database from now on.
 * @param folder the folder that listd's processes were started with (`observing`)
 * @returns a function that returns the share of each of `count` events
 */
export async function watchCost(listd: Listd, folder: string): Promise<{ each(count: number): Promise<Costs> }> {
  const observed = await observeAll(listd, folder)
  const used = watchUse(listd)
  return {
    async each(count) {
      const uses = used.each(count)
      const observedNow = await observeAll(listd, folder)
      const costs = Object.entries(uses).map(([name, use]): [string, Cost] => [
        name,
        { ...use, observed: observedNow[name] ? difference(observedNow[name], observed[name], count) : null },
      ])
      return Object.fromEntries(costs)
    },
  }
}

/** The same as seen from the outside, which costs the processes nothing. */
export function watchUse(listd: Listd): { each(count: number): Record<string, ThreadUse> } {
  const before = useOf(listd)
  return {
    each(count) {
      const uses = Object.entries(useOf(listd)).map(([name, { cpuMicros, switches }]): [string, ThreadUse] => [
        name,
        {
          cpuMicros: difference(cpuMicros, before[name]?.cpuMicros, count),
          switches: (switches - (before[name]?.switches ?? 0)) / count,
        },
      ])
      return Object.fromEntries(uses)
    },
  }
}

/** The processes that can be observed from within. */
export const services = ['gateway', 'identity', 'webhook-dispatcher'] as const

async function observeAll(listd: Listd, folder: string): Promise<Record<string, Observation>> {
  const seen: Record<string, Observation> = {}
  for (const { name, pid } of listd.processes()) {
    if (services.some((service) => service === name)) seen[name] = await observe(pid, folder)
  }
  return seen
}

function useOf(listd: Listd): Record<string, ThreadUse> {
  const uses = listd.processes().map(({ name, pid }) => [name, threadUse([pid])])
  const servers = processTree(process.pid).filter(({ command }) => isDatabaseServer(command))
  return { ...Object.fromEntries(uses), database: threadUse(servers.map(({ pid }) => pid)) }
}

/** Whether a process below the bench is one of the database server's. */
export function isDatabaseServer(command: string): boolean {
  return /postgres|mysqld|mariadbd/.test(command)
}

function difference<T extends Record<string, number>>(now: T, before: Partial<T> = {}, count: number): T {
  return Object.fromEntries(
    Object.entries(now).map(([name, value]) => [name, (value - (before[name] ?? 0)) / count]),
  ) as T
}
