const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether the text has the form of an id: a lower-case UUID (contract 1.1). Nothing else is looked up as one. */
export function isId(text: string): boolean {
  return form.test(text)
}
