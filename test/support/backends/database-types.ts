/** A database that is used by one test only. */
export type TestDatabase = { url: string; release(): Promise<void> }

/**
 * The databases of one run on one server. The template is migrated once; every test gets a database that looks exactly as if it had
 * just been migrated. Their names begin with that of the template.
 */
export type TestDatabases = {
  /** @param migrate brings the database of a URL to the state in which every test begins; without it, the database stays empty */
  createTemplate(migrate?: (url: string) => Promise<void>): Promise<void>
  takeMigrated(): Promise<TestDatabase>
  takeEmpty(): Promise<TestDatabase>
  /** Removes the template and all other databases, including those of test processes that were killed. */
  removeAll(): Promise<void>
}
