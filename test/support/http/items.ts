/** An item of a response in the form of events and payloads: without its etag. */
export function withoutEtag(item: unknown): Record<string, unknown> {
  const { etag: _etag, ...fields } = Object(item)
  return fields
}

/** The same as text. */
export function textWithoutEtag(item: string): string {
  return item.replace(/,"etag":"\\"\d+\\""\}$/, '}')
}
