import { write, writeSync } from 'node:fs'

/** Writes log lines to a file descriptor, in order and asynchronously. */
export type Output = {
  write(line: string): void
  /** Resolves when all lines have been written or dropped, or when the reader takes too long. */
  flushed(): Promise<void>
}

/** Bytes kept while the reader stalls; further lines are dropped, so a stalled reader neither blocks us nor fills memory. */
const maxWaitingBytes = 1024 * 1024
/** Complete lines of up to this many bytes in one write, which a pipe does not mix with the lines of other processes. */
const bytesPerWrite = 4096
const retryMs = 5
/** Lines that follow a write are gathered: under load a write for each would be the largest part of a line's cost. */
const gatherMs = 10

/**
 * One write runs at a time; lines that come in the meantime go into the next. (The logger's own asynchronous destination
 * loses the order of the last lines when the process exits, and throws when the disk is full.)
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
      write(fd, batch, (error, written) => afterWrite(batch, error, written))
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

  function afterWrite(batch: Buffer, error: NodeJS.ErrnoException | null, written: number): void {
    if (error?.code === 'EAGAIN') putBack(batch)
    else if (error) dropAll()
    else if (written < batch.length) putBack(batch.subarray(written))
    if (error?.code === 'EAGAIN') setTimeout(next, retryMs)
    else if (waiting.length > 0 && waitingBytes < bytesPerWrite && idle.length === 0) {
      gathering = setTimeout(next, gatherMs).unref() // the rest is written at the exit
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

  /** The reader is gone or the disk is full: nothing can be logged, and the service goes on. */
  function dropAll(): void {
    waiting = []
    waitingBytes = 0
  }

  process.on('exit', () => {
    try {
      for (const line of waiting) writeSync(fd, line)
    } catch {
      // There is no other way to write them.
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
