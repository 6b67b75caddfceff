import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'

/**
 * Stacks in the bundle name positions in the sources. Node.js itself would read the source map of each file that it loads, which costs
 * a sixth of a start; here one is read when a stack that needs it is first looked at.
 */
Error.prepareStackTrace = (error, frames) => {
  // Node.js itself captures the stack of every abort, which nobody reads.
  const describe = frames[0]?.getFileName()?.endsWith('/domexception') ? String : describeFrame
  return [String(error), ...frames.map((frame) => `    at ${describe(frame)}`)].join('\n')
}

function describeFrame(frame: NodeJS.CallSite): string {
  const text = String(frame)
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()]
  if (!file?.startsWith('file:') || line === null || column === null) return text
  const found = mapOf(file)?.findEntry(line - 1, column - 1)
  if (!found || !('originalSource' in found)) return text
  const source = new URL(found.originalSource, file).href
  return text.replace(`${file}:${line}:${column}`, `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`)
}

const maps = new Map<string, SourceMap | null>()

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file)
  if (known !== undefined) return known
  const map = readMap(new URL(`${file}.map`))
  maps.set(file, map)
  return map
}

function readMap(path: URL): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null // not a file of the bundle, or its maps were removed
  }
}
