import type { Sealer } from '#shared/crypto/seal.ts'
import type { CursorSealing } from '#shared/data/pages/page.ts'

/**
 * Seals the cursors of pages that may end on a row which their caller does not see: its id and key stay secret.
 * @param of.rows what the pages are of, within the account: its cursors are of no use elsewhere
 */
export function sealingOf(
  sealer: Pick<Sealer, 'seal' | 'open'>,
  { accountId, rows }: { accountId: string; rows: string },
): CursorSealing {
  const aad = `cursor:${accountId}:${rows}`
  return { seal: (text) => sealer.seal(text, aad), open: (sealed) => sealer.open(sealed, aad) }
}
