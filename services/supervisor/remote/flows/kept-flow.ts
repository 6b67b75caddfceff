import { type Client, eq } from '#client/src/main.ts'
import { findAt } from '#shared/json/edit/at-pointer.ts'

/** A flow at a server; `document` and `tests` are source texts, byte for byte as the server keeps them. */
export type KeptFlow = {
  id: string
  name: string
  version: number
  activated: boolean
  logged: string
  document: string
  /** Null: the flow has no tests. */
  tests: string | null
}

/** @param text a flow as the API returns it */
export function readKeptFlow(text: string): KeptFlow {
  const { id, name, version, activated, logged } = JSON.parse(text) as KeptFlow
  const tests = findAt(text, '/tests') ?? 'null'
  const document = findAt(text, '/document') ?? 'null'
  return { id, name, version, activated, logged, document, tests: tests === 'null' ? null : tests }
}

/** The flow with this name; a flow with this text as its id is not found. Null: the caller may see no such flow. */
export async function findKeptFlow({ flowDefinitions }: Client, name: string): Promise<KeptFlow | null> {
  const text = await flowDefinitions
    .all({ where: { name: eq(name) }, limit: 1, includeDocument: true })
    .after()
    .text()
  const flow = findAt(text, '/data/0')
  return flow === null ? null : readKeptFlow(flow)
}
