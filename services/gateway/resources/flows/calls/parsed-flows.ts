import { LRUCache } from 'lru-cache'
import type { FlowDefinition } from '#shared/domain/flow/fields.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import type { Flow } from '#shared/domain/flow/language/flow.ts'
import { namesValue } from '#shared/domain/flow/language/named-values.ts'

/** A document that is ready to run, and what of its caller its expressions may name. */
export type ParsedFlow = { flow: Flow; namesIdentity: boolean; namesToken: boolean }

/** Characters of the documents that are kept read; a read one takes some ten times as much. */
const maxCharacters = 4 * 1024 * 1024

const kept = new LRUCache<string, ParsedFlow>({ maxSize: maxCharacters })

/** The flow of a stored document. A document of a version never changes. */
export function parsedFlow({ id, version, document }: FlowDefinition): ParsedFlow {
  const key = `${id} ${version}`
  const known = kept.get(key)
  if (known) return known
  const { flow, diagnostics } = readFlow(document)
  if (!flow) throw new Error(`The stored document of flow ${id} is refused: ${diagnostics[0]?.message}`)
  const parsed = { flow, namesIdentity: namesValue(flow, 'identity'), namesToken: namesValue(flow, 'token') }
  kept.set(key, parsed, { size: document.length })
  return parsed
}
