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
/**
 * One write runs at a time; lines that come in the meantime go into the next. (The logger's own asynchronous destination
 * loses the order of the last lines when the process exits, and throws when the disk is full.)
 * @param options.maxFlushMs how long `flushed` waits for a reader
 * @param options.gatherMs lines that come within this of a write are gathered: a write for each, which a thread makes, would be the
 *   largest part of a line's cost, under load and where one request follows the other
 */
export function createOutput(fd: number, { maxFlushMs = 500, gatherMs = 10 } = {}): Output {
  const waiting = new WaitingLines()
  let writing = false
  let wroteAt = Number.NEGATIVE_INFINITY
  let gathering: NodeJS.Timeout | null = null
  let idle: (() => void)[] = []

  function next(): void {
    gathering = null
    writing = waiting.lines.length > 0
    if (writing) {
      const batch = waiting.take()
      write(fd, batch, (error, written) => afterWrite(batch, error, written))
      return
    }
    for (const resolve of idle) resolve()
    idle = []
  }

  function afterWrite(batch: Buffer, error: NodeJS.ErrnoException | null, written: number): void {
    if (error?.code === 'EAGAIN') waiting.putBack(batch)
    else if (error) waiting.drop()
    else if (written < batch.length) waiting.putBack(batch.subarray(written))
    wroteAt = performance.now()
    if (error?.code === 'EAGAIN') setTimeout(next, retryMs)
    else if (waiting.lines.length > 0 && waiting.bytes < bytesPerWrite && idle.length === 0) gather()
    else next()
  }

  function gather(): void {
    writing = true
    gathering = setTimeout(next, gatherMs).unref() // the rest is written at the exit
  }

  function stopGathering(): void {
    if (gathering === null) return
    clearTimeout(gathering)
    next()
  }

  writeAtExit(fd, waiting)
  return {
    write(line) {
      if (!waiting.add(Buffer.from(line))) return
      if (!writing && performance.now() - wroteAt >= gatherMs) return next()
      if (!writing) gather()
      if (waiting.bytes >= bytesPerWrite) stopGathering()
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

function writeAtExit(fd: number, waiting: WaitingLines): void {
  process.on('exit', () => {
    try {
      for (const line of waiting.lines) writeSync(fd, line)
    } catch {
      // There is no other way to write them.
    }
  })
}

/** Lines that wait to be written, and their size in bytes. */
class WaitingLines {
  lines: Buffer[] = []
  bytes = 0

  /** @returns false when too much waits already; then the line is dropped */
  add(line: Buffer): boolean {
    if (this.bytes + line.length > maxWaitingBytes) return false
    this.lines.push(line)
    this.bytes += line.length
    return true
  }

  /** Removes the lines of the next write. */
  take(): Buffer {
    let count = 0
    let bytes = 0
    for (const line of this.lines) {
      if (count > 0 && bytes + line.length > bytesPerWrite) break
      bytes += line.length
      count++
    }
    this.bytes -= bytes
    return Buffer.concat(this.lines.splice(0, count), bytes)
  }

  putBack(rest: Buffer): void {
    this.lines.unshift(rest)
    this.bytes += rest.length
  }

  /** The reader is gone or the disk is full: nothing can be logged, and the service continues. */
  drop(): void {
    this.lines = []
    this.bytes = 0
  }
}
