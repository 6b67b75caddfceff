/** The message and details of the error ITEM_ALIAS_TAKEN. They may contain the alias, because its author sent it. */
export function aliasTaken(alias: string): { message: string; details: { alias: string } } {
  return { message: `Another item of the list has the alias "${alias}".`, details: { alias } }
}
