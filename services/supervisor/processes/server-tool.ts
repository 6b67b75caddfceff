import { addressOf } from '#shared/data/drivers/server-options.ts'

/** The tools of a database server, as commands to paste; they prompt for the password. */
export type ServerTool = {
  /** Where the database is, as the beginning of a sentence. */
  place: string
  dump(file: string): string
  restore(file: string): string
}

/** The tools for the server that a URL names. */
export function serverTool(url: string): ServerTool {
  const { host, port, user, database } = addressOf(url)
  const [hostText, userText, name] = [host, user, database].map(shellWord) as [string, string, string]
  if (url.startsWith('mysql:')) {
    const options = `--host=${hostText} --port=${port} --user=${userText} --password`
    return {
      place: 'the database is on a MySQL server',
      dump: (file) => `mysqldump --single-transaction ${options} --result-file=${shellWord(file)} ${name}`,
      restore: (file) => `mysql ${options} ${name} < ${shellWord(file)}`,
    }
  }
  const options = `--host=${hostText} --port=${port} --username=${userText}`
  return {
    place: 'the database is on a Postgres server',
    dump: (file) => `pg_dump --format=custom ${options} --file=${shellWord(file)} ${name}`,
    restore: (file) => `pg_restore --clean --if-exists ${options} --dbname=${name} ${shellWord(file)}`,
  }
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
