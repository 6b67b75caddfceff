/** Which lists are exported. `scope`: null takes that of all lists, or none; empty takes the lists that no scope manages. */
export type ExportQuery = { scope: string | null; tagged: string; lists: string }

/** The query of the page's address; null where it does not ask for an export. */
export function readExportQuery(query: URLSearchParams): ExportQuery | null {
  if (!query.has('scope') && !query.has('tagged') && !query.has('lists')) return null
  return { scope: query.get('scope'), tagged: query.get('tagged') ?? '', lists: query.get('lists') ?? '' }
}

/** The address of an export. All lists are asked for by an empty `lists`, so that the address says that it asks. */
export function exportAddress({ scope, tagged, lists }: ExportQuery): string {
  const query = new URLSearchParams({ tab: 'export' })
  if (scope !== null) query.set('scope', scope)
  if (tagged) query.set('tagged', tagged)
  if (lists || (scope === null && !tagged)) query.set('lists', lists)
  return `/schema?${query}`
}

/** The same on the command line. */
export function exportCommand({ scope, tagged, lists }: ExportQuery): string {
  const options = Object.entries({ scope, tagged: tagged || null, lists: lists || null })
  return [
    'listd schema pull',
    ...options.flatMap(([name, value]) => (value === null ? [] : [`--${name} ${quoted(value)}`])),
  ].join(' ')
}

/** As a shell takes one word. */
function quoted(text: string): string {
  return /^[\w,.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
