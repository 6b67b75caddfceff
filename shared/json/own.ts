/** The object's own value of a name, never an inherited one such as `constructor`; undefined when it has none. */
export function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
