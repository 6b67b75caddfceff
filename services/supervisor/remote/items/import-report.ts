import type { ImportState } from '#shared/domain/item-transfer/import-rows.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { CommandFailed, exitCodes } from '../../terminal/command-failed.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** The result of an import, for programs. */
export type ImportFacts = { rows: number } & Pick<ImportState, 'created' | 'existing' | 'refused'>

export function importFacts({ row, created, existing, refused }: ImportState): ImportFacts {
  return { rows: row, created, existing, refused }
}

/** How far a failed import got, such as `27,000 created, 400 already there, 100 rejected`. */
export function describeState({ created, existing, refused }: ImportState): string {
  return [
    `${created.toLocaleString('en-US')} created`,
    existing > 0 && `${existing.toLocaleString('en-US')} already there`,
    refused > 0 && `${refused.toLocaleString('en-US')} rejected`,
  ]
    .filter(Boolean)
    .join(', ')
}

type Reported = { rejects: string | null; dryRun: boolean; json: boolean }

/**
 * Reports the result of an import, from the server's responses.
 * @param how.rejects the file of the rejected rows
 * @throws CommandFailed when rows were rejected
 */
export function reportImport({ stdout }: Terminal, state: ImportState, { rejects, dryRun, json }: Reported): void {
  const { created, existing, refused } = state
  const items = counted(created, 'item')
  const parts = [
    dryRun ? `${items} would be created` : `Created ${items}`,
    existing > 0 && `${counted(existing, 'item was', 'items were')} already there`,
    refused > 0 && `${rejected(refused, dryRun)}${rejects === null ? '' : `: see ${rejects}`}`,
  ]
  const message = `${parts.filter(Boolean).join('; ')}.`
  const facts = importFacts(state)
  if (refused > 0) {
    const more = { name: 'ROWS_REFUSED', ...facts, ...(rejects !== null && { rejects }) }
    throw new CommandFailed(message, exitCodes.rowsRejected, { facts: more })
  }
  stdout.write(json ? formatJson(facts) : `${message}\n`)
}

function rejected(rows: number, dryRun: boolean): string {
  return dryRun ? `${counted(rows, 'row')} would be rejected` : counted(rows, 'row was rejected', 'rows were rejected')
}
