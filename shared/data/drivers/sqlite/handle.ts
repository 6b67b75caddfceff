import sqlite3, { type Database as Handle } from 'sqlite3'
import type { Row } from '../../database.ts'

/** Opens a file for work on the file itself, without the readers and the writer of a service. */
export function openHandle(path: string, { create }: { create: boolean }): Promise<Handle> {
  const mode = sqlite3.OPEN_READWRITE | (create ? sqlite3.OPEN_CREATE : 0)
  return new Promise((resolve, reject) => {
    const handle = new sqlite3.Database(path, mode, (error) => (error ? reject(error) : resolve(handle)))
  })
}

/** Runs statements that return nothing. */
export function execute(handle: Handle, text: string): Promise<void> {
  return new Promise((resolve, reject) => handle.exec(text, (error) => (error ? reject(error) : resolve())))
}

export function selectAll<R = Row>(handle: Handle, text: string, bindings: readonly unknown[] = []): Promise<R[]> {
  return new Promise((resolve, reject) =>
    handle.all<R>(text, bindings, (error, rows) => (error ? reject(error) : resolve(rows))),
  )
}

/** Closing rolls an open transaction back, which releases its locks. */
export function closeHandle(handle: Handle): Promise<void> {
  return new Promise((resolve, reject) => handle.close((error) => (error ? reject(error) : resolve())))
}
