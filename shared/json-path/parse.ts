import { readInteger, readString } from './literals.ts'
import { readTest } from './parse-filter.ts'
import type { JsonPath, Segment, Selector } from './query.ts'
import { Scanner } from './scanner.ts'

/** Characters of a path. */
export const maxPathLength = 1_024

/**
 * Parses a JSONPath as RFC 9535 defines it, with its five functions and nothing else.
 * @throws PathError for any other text
 */
export function parseJsonPath(text: string): JsonPath {
  const scanner = new Scanner(text)
  if (!scanner.takes('$')) throw scanner.error('it must begin with $')
  const segments = readSegments(scanner)
  if (!scanner.isAtEnd) throw scanner.error('a segment (.name, [selector], ..) or the end is expected')
  return { segments }
}

/** Reads the segments after `$` or `@`. */
function readSegments(scanner: Scanner): Segment[] {
  const segments: Segment[] = []
  while (scanner.skipSpaceBefore(/[.[]/y)) segments.push(readSegment(scanner))
  return segments
}

function readSegment(scanner: Scanner): Segment {
  const descendant = scanner.takes('..')
  if (scanner.sees('[')) return { descendant, selectors: readBrackets(scanner) }
  if (!descendant) scanner.expect('.')
  if (scanner.takes('*')) return { descendant, selectors: [{ kind: 'wildcard' }] }
  const name = scanner.match(/[A-Za-z_\u0080-\ud7ff\ue000-\u{10ffff}][0-9A-Za-z_\u0080-\ud7ff\ue000-\u{10ffff}]*/uy)
  if (name === null) throw scanner.error('a name or * is expected')
  return { descendant, selectors: [{ kind: 'name', name }] }
}

function readBrackets(scanner: Scanner): Selector[] {
  scanner.expect('[')
  const selectors: Selector[] = []
  do {
    scanner.skipSpace()
    selectors.push(readSelector(scanner))
    scanner.skipSpace()
  } while (scanner.takes(','))
  scanner.expect(']')
  return selectors
}

function readSelector(scanner: Scanner): Selector {
  if (scanner.takes('*')) return { kind: 'wildcard' }
  if (scanner.takes('?')) {
    scanner.skipSpace()
    return { kind: 'filter', test: scanner.nested(() => readTest(scanner, readSegments)) }
  }
  const name = readString(scanner)
  if (name !== null) return { kind: 'name', name }
  const index = readInteger(scanner)
  if (scanner.skipSpaceBefore(/:/y)) return readSlice(scanner, index)
  if (index === null) throw scanner.error("a selector ('name', 0, 0:2, *, ?filter) is expected")
  return { kind: 'index', index }
}

/** Reads a slice from its first colon on. */
function readSlice(scanner: Scanner, start: number | null): Selector {
  scanner.expect(':')
  scanner.skipSpace()
  const end = readInteger(scanner)
  if (!scanner.skipSpaceBefore(/:/y)) return { kind: 'slice', start, end, step: 1 }
  scanner.expect(':')
  scanner.skipSpaceBefore(/[-0-9]/y)
  return { kind: 'slice', start, end, step: readInteger(scanner) ?? 1 }
}
