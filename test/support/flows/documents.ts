/** Parts of a flow document for tests. */
export type DocumentParts = { entry?: unknown; nodes?: unknown; edges?: unknown; [property: string]: unknown }

/** The text of a document, which is valid except for the given parts: by default it responds at once. */
export function documentText(parts: DocumentParts = {}): string {
  return JSON.stringify({ ...documentOf(parts) }, null, 1)
}

export function documentOf(parts: DocumentParts = {}): Record<string, unknown> {
  return {
    version: 1,
    name: 'Greet',
    entry: { type: 'endpoint', path: 'greet' },
    nodes: [{ id: 'answer', type: 'respond', body: '"hello"' }],
    ...parts,
  }
}

/** The edges of nodes that follow each other in order. */
export function inARow(nodes: readonly { id: string }[]): [string, string][] {
  return nodes.slice(1).map((node, n) => [nodes[n]?.id ?? '', node.id])
}
