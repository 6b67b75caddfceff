import { createHash } from 'node:crypto'

/** Alias values are compared by hash, which is exact on every database regardless of collation and key length. */
export function aliasHash(value: string): string {
  return createHash('sha256').update(value, 'utf8').digest('hex')
}
