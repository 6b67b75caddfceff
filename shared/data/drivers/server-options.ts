/** Where a database server is, and how many connections to it a process holds at most. */
export type ServerOptions = {
  url: string
  pool: number
  /** Whether the connection is encrypted and the server's certificate checked. */
  tls: boolean
  /** How long a statement may run. */
  statementMs: number
  /** PEM text of the certificate authorities that are believed; the public ones when it is not there. */
  ca?: string
}

/** Knex would write of broken connections to standard output; whoever needs one is told. */
const nothing = () => {}
export const silent = { warn: nothing, error: nothing, deprecate: nothing, debug: nothing }

/** What a driver is told of a url whose form the configuration has checked. */
export function addressOf(url: string) {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  return {
    ...{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'mysql:' ? 3306 : 5432)) },
    ...{ user: decodeURIComponent(username), password: decodeURIComponent(password) },
    database: decodeURIComponent(pathname.slice(1)),
  }
}

/**
 * What the driver and the server keep of a prepared statement grows with its marks (95 KB in the driver of MySQL for the
 * longest here) and with its text, which is long in pages by many tags: such ones are prepared for one use. Kept are inserts
 * of up to 32 rows of any table, and all others that do not grow with what is asked.
 */
export function staysPrepared(text: string, marks: number): boolean {
  return marks <= 500 && (text.length <= 2_000 || text.startsWith('insert '))
}

const sizes = [64, 32, 28, 24, 20, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1]

/**
 * On a server a statement has to be prepared on every connection, and one that is not costs twice as much: so there are
 * few numbers of rows, of which any up to 40 needs two at most. All of them together are 4 MB in a connection of Postgres.
 */
export function rowsOfServerInsert(waiting: number): number {
  return sizes.find((size) => size <= waiting) ?? 1
}
