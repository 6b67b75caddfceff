import { own } from '../own.ts'

/** A place where two JSON values differ; `undefined`: there is nothing. */
export type Difference = { pointer: string; from: unknown; to: unknown }

/** Where two parsed JSON values differ, as deep as both are objects. Arrays are compared as a whole. */
export function jsonDifferences(from: unknown, to: unknown, pointer = ''): Difference[] {
  if (!isPlainObject(from) || !isPlainObject(to)) {
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ pointer, from, to }]
  }
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return names.flatMap((name) => jsonDifferences(own(from, name), own(to, name), `${pointer}/${escapeToken(name)}`))
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
