/** Servers that a test run needs; SQLite needs none. */
export type ServerKind = 'postgres' | 'mysql' | 'nats'

/** A server for one run: its address, its version, and its source. */
export type Server = {
  /** With the credentials of a user who may create databases; for NATS see `nats-servers.ts`. */
  url: string
  /** Product and version, such as `MariaDB 10.11.19`. */
  version: string
  /** For people, such as `a container of postgres:18`. */
  from: string
  /** Ends it if it was started for the run. */
  stop(): Promise<void>
}
