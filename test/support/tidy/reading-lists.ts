import { join } from 'node:path'
import type { Finding, SourceFile } from './source-files.ts'

const page = 'ARCHITECTURE.md'
/** The most imports between a file of a list and one before it: files that a list leaves out are not steps of the way. */
const maxImports = 2

/**
 * Where to start reading: in each list of the page, a file is imported by an earlier one, or by an import of that. A part that begins
 * after a semicolon may begin elsewhere, where a message or a job continues.
 */
export function readingListFindings(files: readonly SourceFile[]): Finding[] {
  const imports = new Map(files.map((file) => [file.path, file.imports.flatMap(({ target }) => target ?? [])]))
  const lines = files.find(({ path }) => path === page)?.lines ?? []
  const start = lines.indexOf('## Where to start reading')
  const end = lines.findIndex((line, n) => n > start && line.startsWith('## '))
  return readingLists(lines.slice(start + 1, end)).flatMap(({ text, line }) => {
    const found = stepsOf(text, [...imports.keys()])
    return found
      .filter(({ path, begins }, n) => n > 0 && !begins && !isReached(path, found.slice(0, n), imports))
      .map(({ path }) => ({
        path: page,
        line: start + 2 + line,
        remedy: `no file before ${path} imports it: mend the list`,
      }))
  })
}

function readingLists(lines: readonly string[]): { text: string; line: number }[] {
  const lists: { text: string; line: number }[] = []
  for (const [line, text] of lines.entries()) {
    const last = lists.at(-1)
    if (text.startsWith('- ')) lists.push({ text, line })
    else if (last && text.startsWith('  ')) last.text += text
  }
  return lists
}

/** A file of a list; `begins`: it is the first after a semicolon. */
type Step = { path: string; begins: boolean }

/** The files that a list names, each in the last named folder, or below it. */
function stepsOf(text: string, paths: readonly string[]): Step[] {
  const steps: Step[] = []
  let folder = ''
  for (const part of text.split(';')) {
    let begins = true
    for (const [, name = ''] of part.matchAll(/`([\w./-]+)`/g)) {
      const path =
        [join(folder, name), name].find((one) => paths.includes(one)) ?? paths.find((one) => one.endsWith(`/${name}`))
      if (!name.endsWith('.ts')) folder = name
      else if (path) {
        steps.push({ path, begins })
        begins = false
      }
    }
  }
  return steps
}

function isReached(path: string, before: readonly Step[], imports: ReadonlyMap<string, readonly string[]>): boolean {
  let reached = before.map((step) => step.path)
  for (let n = 0; n < maxImports; n++) {
    reached = [...new Set(reached.flatMap((one) => imports.get(one) ?? []))]
    if (reached.includes(path)) return true
  }
  return false
}
