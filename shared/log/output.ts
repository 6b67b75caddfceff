import { write, writeSync } from 'node:fs'

/** Where log lines go: a file descriptor, in order, beside the event loop. */
export type Output = {
  write(line: string): void
  /** Settles when all that was given has been written or dropped, or when the reader takes too long. */
  flushed(): Promise<void>
}

/** Bytes kept while the reader stalls; beyond, lines are dropped: a stalled reader neither stops us nor fills memory. */
const maxWaitingBytes = 1024 * 1024
/** Whole lines up to this many bytes go out in one write, which a pipe keeps apart from other processes' lines. */
const bytesPerWrite = 4096
const retryMs = 5
/** Lines that come right behind a write are gathered: under load a write each costs more than all else about a line. */
const gatherMs = 10

/**
 * One write is under way at a time, with the lines that came meanwhile in the next. (The logger's own asynchronous
 * destination loses the order of the last lines when the process ends, and throws when the disk is full.)
 * @param options.maxFlushMs how long `flushed` waits for a reader
 */
export function createOutput(fd: number, { maxFlushMs = 500 } = {}): Output {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let writing = false
  let gathering: NodeJS.Timeout | null = null
  let idle: (() => void)[] = []

  function next(): void {
    gathering = null
    writing = waiting.length > 0
    if (writing) {
      const batch = take()
      write(fd, batch, (error, written) => settle(batch, error, written))
      return
    }
    for (const resolve of idle) resolve()
    idle = []
  }

  function take(): Buffer {
    let count = 0
    let bytes = 0
    for (const line of waiting) {
      if (count > 0 && bytes + line.length > bytesPerWrite) break
      bytes += line.length
      count++
    }
    waitingBytes -= bytes
    return Buffer.concat(waiting.splice(0, count), bytes)
  }

  function settle(batch: Buffer, error: NodeJS.ErrnoException | null, written: number): void {
    if (error?.code === 'EAGAIN') putBack(batch)
    else if (error) dropAll()
    else if (written < batch.length) putBack(batch.subarray(written))
    if (error?.code === 'EAGAIN') setTimeout(next, retryMs)
    else if (waiting.length > 0 && waitingBytes < bytesPerWrite && idle.length === 0) {
      gathering = setTimeout(next, gatherMs).unref() // what is left at the end is written then
    } else next()
  }

  function stopGathering(): void {
    if (gathering === null) return
    clearTimeout(gathering)
    next()
  }

  function putBack(rest: Buffer): void {
    waiting.unshift(rest)
    waitingBytes += rest.length
  }

  /** The reader is gone or the disk is full: nobody can be told, and the service goes on. */
  function dropAll(): void {
    waiting = []
    waitingBytes = 0
  }

  process.on('exit', () => {
    try {
      for (const line of waiting) writeSync(fd, line)
    } catch {
      // It was the last chance.
    }
  })
  return {
    write(line) {
      const bytes = Buffer.from(line)
      if (waitingBytes + bytes.length > maxWaitingBytes) return
      waiting.push(bytes)
      waitingBytes += bytes.length
      if (!writing) next()
      else if (waitingBytes >= bytesPerWrite) stopGathering()
    },
    flushed() {
      if (!writing) return Promise.resolve()
      return new Promise((resolve) => {
        idle.push(resolve)
        setTimeout(resolve, maxFlushMs).unref()
        stopGathering()
      })
    },
  }
}
