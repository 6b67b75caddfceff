import { Conflict } from '#shared/data/conflict.ts'

/** What became of a commit: `committed`, what it had a conflict on, or the name of the error. */
export function outcomeOf(commit: Promise<void>): Promise<string> {
  return commit.then(
    () => 'committed',
    (error: Error) => (error instanceof Conflict ? `conflict on ${error.on}` : error.name),
  )
}
