/** Where a database server is, and how many connections to it a process holds at most. */
export type ServerOptions = {
  url: string
  pool: number
  /** Whether the connection is encrypted and the server's certificate checked. */
  tls: boolean
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
 * Statements with more marks are not kept prepared: those that insert many rows have a text for each number of rows, and
 * what the driver and the server keep of one grows with its marks (190 KB in the driver for 64 rows of items).
 */
export const mostMarksPrepared = 100

/** Whether an error of a driver has one of these codes. */
export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
