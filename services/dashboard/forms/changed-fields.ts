/** The edits that differ from what is stored. Values are compared as JSON. */
export function changedFields<D extends object>(stored: D, edits: Partial<D>): Partial<D> {
  const names = (Object.keys(edits) as (keyof D)[]).filter((name) => !isSame(edits[name], stored[name]))
  return Object.fromEntries(names.map((name) => [name, edits[name]])) as Partial<D>
}

/** The edits since a save was sent, so they are not saved yet. */
export function laterEdits<D extends object>(now: Partial<D>, sent: Partial<D>): Partial<D> {
  const names = (Object.keys(now) as (keyof D)[]).filter((name) => now[name] !== sent[name])
  return Object.fromEntries(names.map((name) => [name, now[name]])) as Partial<D>
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
