import type { ApiCall } from '../../parts/copy-as/call-text.ts'
import type { ExportQuery } from './export-query.ts'

/** The call that plans a document. */
export function planCall({ text, prune }: { text: string; prune: boolean }): ApiCall {
  return {
    method: 'POST',
    path: `/sync-schema?dryRun=true${prune ? '&prune=true' : ''}`,
    body: text,
    sdk: `listd.sync.plan(document${prune ? ', { prune: true }' : ''})`,
  }
}

/** The call that exports lists as a document. */
export function exportCall({ scope, tagged, lists }: ExportQuery): ApiCall {
  const options = {
    ...(scope !== null && { scope }),
    ...(tagged && { tagged }),
    ...(lists && { lists }),
  }
  const query = new URLSearchParams(options).toString()
  return {
    method: 'GET',
    path: query ? `/sync-schema?${query}` : '/sync-schema',
    sdk: `listd.sync.export(${query ? JSON.stringify(options) : ''})`,
  }
}
