import type { Finding, SourceFile } from './source-files.ts'

/**
 * Rings of imports; each ring once. In every folder, the files and folders in it know each other in no ring: so neither do
 * rooms, nor the folders of a room, nor files. Imports of types alone count, too: a ring of them cannot be read one by one.
 */
export function cycleFindings(files: readonly SourceFile[]): Finding[] {
  const ours = files.filter(({ path }) => /^(services|shared)\/.*\.ts$/.test(path))
  const folders = new Set(ours.flatMap(({ path }) => foldersOf(path)))
  return [...folders].flatMap((folder) => ringFindings(ours, folder))
}

function foldersOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))
}

/** The first import that leads from one to another. */
type Edge = { path: string; line: number }

/** The rings of what is directly in the folder; its path ends with a slash. */
function ringFindings(files: readonly SourceFile[], folder: string): Finding[] {
  const nodeOf = (path: string) =>
    path.startsWith(folder) ? folder + path.slice(folder.length).replace(/\/.*/, '') : null
  const edges = new Map<string, Map<string, Edge>>()
  for (const { path, imports } of files) {
    const from = nodeOf(path)
    for (const { target, line } of from === null ? [] : imports) {
      const to = target === null ? null : nodeOf(target)
      if (from === null || to === null || to === from) continue
      const known = edges.get(from) ?? new Map<string, Edge>()
      edges.set(from, known.set(to, known.get(to) ?? { path, line }))
    }
  }
  return searchRings(edges)
}

/** Depth first; a node is looked at once, so a ring is told by the first edge that closes it. */
function searchRings(edges: ReadonlyMap<string, ReadonlyMap<string, Edge>>): Finding[] {
  const findings: Finding[] = []
  const done = new Set<string>()

  function visit(node: string, trail: readonly string[]): void {
    done.add(node)
    for (const [to, { path, line }] of edges.get(node) ?? []) {
      const at = [...trail, node].indexOf(to)
      if (at >= 0)
        findings.push({ path, line, remedy: `closes a ring: ${[...trail, node, to].slice(at).join(' -> ')}` })
      else if (!done.has(to)) visit(to, [...trail, node])
    }
  }

  for (const node of edges.keys()) if (!done.has(node)) visit(node, [])
  return findings
}
