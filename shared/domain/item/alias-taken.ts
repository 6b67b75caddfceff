/** What the error ITEM_ALIAS_TAKEN tells of an alias: it is of the change, which its author knows. */
export function aliasTaken(alias: string): { message: string; details: { alias: string } } {
  return { message: `Another item of the list has the alias "${alias}".`, details: { alias } }
}
