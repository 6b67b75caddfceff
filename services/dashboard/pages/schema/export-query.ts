/** The lists to export. `scope` null: the scope that manages the lists; empty: lists that no scope manages. */
export type ExportQuery = { scope: string | null; tagged: string; lists: string }

/** Reads the query of the page's address; null: it does not request an export. */
export function readExportQuery(query: URLSearchParams): ExportQuery | null {
  if (!query.has('scope') && !query.has('tagged') && !query.has('lists')) return null
  return { scope: query.get('scope'), tagged: query.get('tagged') ?? '', lists: query.get('lists') ?? '' }
}

/** The address of an export. An empty `lists` requests all lists, so that the address differs from one without an export. */
export function exportAddress({ scope, tagged, lists }: ExportQuery): string {
  const query = new URLSearchParams({ tab: 'export' })
  if (scope !== null) query.set('scope', scope)
  if (tagged) query.set('tagged', tagged)
  if (lists || (scope === null && !tagged)) query.set('lists', lists)
  return `/schema?${query}`
}

/** The command for the same export. */
export function exportCommand({ scope, tagged, lists }: ExportQuery): string {
  const options = Object.entries({ scope, tagged: tagged || null, lists: lists || null })
  return [
    'listd schema pull',
    ...options.flatMap(([name, value]) => (value === null ? [] : [`--${name} ${quoted(value)}`])),
  ].join(' ')
}

/** Quotes a text as a single word of a shell. */
function quoted(text: string): string {
  return /^[\w,.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
