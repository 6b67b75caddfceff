/** The same server and user, another database. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

export function databaseIn(url: string): string {
  return new URL(url).pathname.slice(1)
}
