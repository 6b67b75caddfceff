import type { Sealer } from '#shared/crypto/seal.ts'
import type { CursorSealing } from '#shared/data/pages/page.ts'

/**
 * Seals the cursors of pages that may end on a row that the caller does not see: the row's id and key stay secret.
 * @param of.rows identifies the rows of the pages within the account: the cursors are not valid for other rows
 */
export function sealingOf(
  sealer: Pick<Sealer, 'seal' | 'open'>,
  { accountId, rows }: { accountId: string; rows: string },
): CursorSealing {
  const aad = `cursor:${accountId}:${rows}`
  return { seal: (text) => sealer.seal(text, aad), open: (sealed) => sealer.open(sealed, aad) }
}
