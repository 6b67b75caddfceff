import { execFileSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { findNatsServer } from '#services/supervisor/processes/find-program.ts'
import { loadConfig } from '#shared/config/load.ts'
import lock from '../../../package-lock.json' with { type: 'json' }
import { quantile } from '../../../test/support/load/statistics.ts'
import { monotonicMs } from '../clock.ts'
import { print, rounded } from './report.ts'

/** Prints the machine and the versions that were measured. */
export async function printMachine(): Promise<void> {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  print(`machine   ${cpus().length} x ${cpu?.model ?? 'unknown'}, ${memory}, ${process.platform} ${release()}`)
  print(`disk      ${diskOf(tmpdir())}`)
  print(`versions  node ${process.version}, ${await natsVersion()}, ${packages()}`)
  const [load = 0] = loadavg()
  print(`load      ${rounded(load, 1)} before the first run (mean of a minute; others count)`)
}

/** Creates are synced to disk, so their figures depend on the cost of a sync on this machine. */
function diskOf(folder: string): string {
  const file = join(folder, `listd-bench-sync-${process.pid}`)
  const fd = openSync(file, 'w')
  const times = Array.from({ length: 100 }, () => timeOfSync(fd))
  closeSync(fd)
  rmSync(file)
  return `${fileSystemOf(folder)}; append and sync 4 KiB: p50 ${rounded(quantile(times, 0.5), 2)} ms, p99 ${rounded(quantile(times, 0.99), 2)} ms`
}

function timeOfSync(fd: number): number {
  const startedAt = monotonicMs()
  writeSync(fd, Buffer.alloc(4_096, 'x'))
  fsyncSync(fd)
  return monotonicMs() - startedAt
}

/** The kind of file system that a folder is on: the mount with the longest path above it. */
function fileSystemOf(folder: string): string {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, place = '-']) => folder === place || folder.startsWith(place === '/' ? '/' : `${place}/`))
  const [, , kind = 'unknown'] = mounts.toSorted(([, a = ''], [, b = '']) => b.length - a.length)[0] ?? []
  return kind
}

async function natsVersion(): Promise<string> {
  return execFileSync(await findNatsServer(loadConfig()), ['--version'])
    .toString()
    .trim()
    .replace(':', '')
}

function packages(): string {
  const names = ['@hapi/hapi', 'sqlite3', 'undici', 'nats'] as const
  return names.map((name) => `${name} ${lock.packages[`node_modules/${name}`].version}`).join(', ')
}
