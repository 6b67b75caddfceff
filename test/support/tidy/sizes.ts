import type { Finding, SourceFile } from './source-files.ts'

const maxFileLines = 300
/** Longer functions are told, not refused: some lists of steps read best in one piece. */
const longFunctionLines = 40

/** Files too long to be read in one go. */
export function longFiles(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path, lines }) => /^(services|shared|bench|test)\/.*\.ts$/.test(path) && lines.length > maxFileLines)
    .map(({ path, lines }) => ({
      path,
      line: maxFileLines,
      remedy: `has ${lines.length} lines; split it where the subject changes, below ${maxFileLines}`,
    }))
}

/** Functions that outgrew a screen; relies on the formatter's indentation. */
export function longFunctions(files: readonly SourceFile[]): Finding[] {
  return files.filter(({ path }) => /^(services|shared)\/.*\.ts$/.test(path)).flatMap(longFunctionsIn)
}

function longFunctionsIn({ path, lines }: SourceFile): Finding[] {
  return lines.flatMap((line, n) => {
    const [, indent, name] = /^(\s*)(?:export )?(?:async )?function\*? (\w+)/.exec(line) ?? []
    if (indent === undefined) return []
    const length = lines.slice(n).indexOf(`${indent}}`) + 1
    return length > longFunctionLines ? [{ path, line: n + 1, remedy: `${name} has ${length} lines` }] : []
  })
}
