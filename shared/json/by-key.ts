/** Orders entries of an object or map, whose keys all differ, by their keys' code units: it depends on no language. */
export function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}
