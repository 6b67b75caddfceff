/** The path of a SQLite database, whether it exists or not; null for a database of another kind. */
export function databaseFile({ url, dataDir }: { url: string; dataDir: string }): string | null {
  if (url === '') return `${dataDir}/listd.db`
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null
}
