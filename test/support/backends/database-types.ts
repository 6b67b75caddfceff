/** A database that one test has for itself. */
export type TestDatabase = { url: string; release(): Promise<void> }

/**
 * The databases of one run on one server. The template is migrated once; every test gets a database that looks exactly
 * as if it had just been migrated. Their names begin with the template's.
 */
export type TestDatabases = {
  /** @param migrate brings the database of a URL to where every test begins; without it, it stays empty */
  createTemplate(migrate?: (url: string) => Promise<void>): Promise<void>
  takeMigrated(): Promise<TestDatabase>
  takeEmpty(): Promise<TestDatabase>
  /** Removes the template and all others, also those of test processes that were killed. */
  removeAll(): Promise<void>
}
