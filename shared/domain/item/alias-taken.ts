/** What the error ITEM_ALIAS_TAKEN says about an alias: it is from the change, so its author knows it. */
export function aliasTaken(alias: string): { message: string; details: { alias: string } } {
  return { message: `Another item of the list has the alias "${alias}".`, details: { alias } }
}
