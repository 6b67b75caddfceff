import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { createRequire } from 'node:module'
import { GCProfiler, getHeapStatistics } from 'node:v8'
import type { Observation } from './observations.ts'

/**
 * Preloaded into listd's processes: counts the activity of a process, and on SIGUSR2 writes the counts to the file of the process in
 * the folder that this module's url names. With `profile` in the URL, it also records a CPU profile between two signals.
 */
const url = new URL(import.meta.url)
const folder = url.searchParams.get('folder')
const database = url.searchParams.get('database')
const profile = url.searchParams.has('profile') ? new Session() : null

const counts = { statements: 0, trips: 0, messages: 0 }
const unanswered = new WeakMap<object, number>()
let gc = new GCProfiler()
let freedBytes = 0
let gcMicros = 0
let recording = false

/** Calls `seen` with the object and the result whenever one of these methods is called. */
function observe(prototype: object, names: readonly string[], seen: (on: object, result: unknown) => void): void {
  for (const name of names) {
    const original: (...args: unknown[]) => unknown = Reflect.get(prototype, name)
    Object.assign(prototype, {
      [name](...args: unknown[]) {
        const result = original.apply(this, args)
        seen(this, result)
        return result
      },
    })
  }
}

/** Each statement is a separate round trip to the database. */
function countAlone(): void {
  counts.statements++
  counts.trips++
}

/** Statements that are sent before earlier ones have been answered go together. */
function countPipelined(connection: object, answer: unknown): void {
  counts.statements++
  const before = unanswered.get(connection) ?? 0
  if (before === 0) counts.trips++
  unanswered.set(connection, before + 1)
  const answered = () => unanswered.set(connection, (unanswered.get(connection) ?? 1) - 1)
  Promise.resolve(answer).then(answered, answered)
}

function countMessage(): void {
  counts.messages++
}

const require = createRequire(import.meta.url)
if (database === 'sqlite') observe(require('sqlite3').Statement.prototype, ['run', 'all'], countAlone)
if (database === 'postgres') observe(require('pg').Client.prototype, ['query'], countPipelined)
if (database === 'mysql') observe(require('mysql2').Connection.prototype, ['query', 'execute'], countAlone)
const nats = require('nats/lib/nats-base-client/protocol.js').ProtocolHandler.prototype
observe(nats, ['publish', 'processMsg'], countMessage)
gc.start()

process.on('SIGUSR2', () => {
  const observation = { ...counts, ...allocation() }
  const file = `${folder}/${process.pid}`
  writeFileSync(`${file}.new`, JSON.stringify(observation satisfies Observation))
  if (profile) switchRecording(profile, file)
  renameSync(`${file}.new`, file)
})

/** Allocated memory is the memory in use plus the memory that collections have freed. */
function allocation(): Pick<Observation, 'allocatedBytes' | 'gcMicros'> {
  for (const { cost, beforeGC, afterGC } of gc.stop().statistics) {
    freedBytes += beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize
    gcMicros += cost
  }
  gc = new GCProfiler()
  gc.start()
  return { allocatedBytes: getHeapStatistics().used_heap_size + freedBytes, gcMicros }
}

function switchRecording(session: Session, file: string): void {
  recording = !recording
  if (recording) {
    session.connect()
    session.post('Profiler.enable')
    session.post('Profiler.setSamplingInterval', { interval: 100 })
    session.post('Profiler.start')
    return
  }
  session.post('Profiler.stop', (_error, result) => {
    writeFileSync(`${file}.cpuprofile`, JSON.stringify(result?.profile))
    session.disconnect()
  })
}
