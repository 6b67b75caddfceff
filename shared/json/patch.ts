import { find, JsonEdit, positionOf } from './edit.ts'
import { parsePointer } from './pointer.ts'

/** An operation of RFC 6902; pointers as they are sent, and `value` as JSON text. */
export type PatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: string }
  | { op: 'copy'; from: string; path: string }
  | { op: 'move'; from: string; path: string }
  | { op: 'remove'; path: string }

/** Why a patch was not applied: the position of the operation that failed, and a sentence. */
export class PatchFailed extends Error {
  override readonly name = 'PatchFailed'
  readonly operation: number
  constructor(operation: number, reason: string) {
    super(reason)
    this.operation = operation
  }
}

/**
 * Applies a patch (RFC 6902), all of it or nothing. What no operation touches stays byte for byte.
 * @param options.maxLength characters that the value may have after any of the operations
 * @returns the text of the changed value
 * @throws PatchFailed
 */
export function applyPatch(
  text: string,
  operations: readonly PatchOperation[],
  { maxLength }: { maxLength: number },
): string {
  const document = createDocument(new JsonEdit(text))
  operations.forEach((operation, n) => {
    try {
      apply(document, operation)
    } catch (error) {
      throw error instanceof Failed ? new PatchFailed(n, error.message) : error
    }
    if (document.length() > maxLength) throw new PatchFailed(n, `makes the value longer than ${maxLength} characters`)
  })
  return document.print()
}

class Failed extends Error {}

function apply(document: Document, operation: PatchOperation): void {
  const { path } = operation
  if (operation.op === 'remove') document.remove(path)
  else if (operation.op === 'copy') document.add(path, new JsonEdit(document.get(operation.from).print()))
  else if (operation.op === 'move') move(document, operation)
  else applyValue(document, operation)
}

function applyValue(document: Document, { op, path, value }: Extract<PatchOperation, { value: string }>): void {
  const given = new JsonEdit(value)
  if (op === 'add') document.add(path, given)
  else if (op === 'replace') document.replace(path, given)
  else if (!document.get(path).equals(given)) throw new Failed(`"${path}" has another value`)
}

function move(document: Document, { from, path }: { from: string; path: string }): void {
  if (path.startsWith(`${from}/`)) throw new Failed('a value cannot be moved into itself')
  if (path === from) document.get(from)
  else document.add(path, document.remove(from))
}

type Document = ReturnType<typeof createDocument>

/** A value that is edited at pointers, and how long it is. */
function createDocument(start: JsonEdit) {
  let root = start
  let length = start.length

  function get(pointer: string): JsonEdit {
    const found = find(root, tokensOf(pointer))
    if (!found) throw new Failed(`there is nothing at "${pointer}"`)
    return found
  }

  /** The object or array that holds what the pointer names, and its key or position there. */
  function holderOf(pointer: string): { holder: JsonEdit; token: string } {
    const tokens = tokensOf(pointer)
    const token = tokens.pop()
    const holder = find(root, tokens)
    if (token === undefined || !holder || holder.kind === 'scalar')
      throw new Failed(`nothing can stand at "${pointer}"`)
    return { holder, token }
  }

  function setRoot(value: JsonEdit): void {
    root = value
    length = value.length
  }

  function add(pointer: string, value: JsonEdit): void {
    if (pointer === '') {
      setRoot(value)
      return
    }
    const { holder, token } = holderOf(pointer)
    if (holder.kind === 'object') {
      const before = holder.members.get(token)
      holder.set(token, value)
      length += value.length + (before ? -before.value.length : JSON.stringify(token).length + 2)
      return
    }
    const position = token === '-' ? holder.elements.length : positionOf(token)
    if (position === null || position > holder.elements.length) throw new Failed(`"${pointer}" is no place in an array`)
    holder.elements.splice(position, 0, value)
    length += value.length + 1
  }

  function remove(pointer: string): JsonEdit {
    const removed = get(pointer)
    const { holder, token } = holderOf(pointer)
    length -= removed.length + 1
    if (holder.kind === 'array') holder.elements.splice(Number(token), 1)
    else {
      length -= (holder.members.get(token)?.keyText.length ?? 0) + 1
      holder.members.delete(token)
    }
    return removed
  }

  function replace(pointer: string, value: JsonEdit): void {
    const before = get(pointer)
    if (pointer === '') {
      setRoot(value)
      return
    }
    const { holder, token } = holderOf(pointer)
    if (holder.kind === 'object') holder.set(token, value)
    else holder.elements[Number(token)] = value
    length += value.length - before.length
  }

  return { get, add, remove, replace, print: () => root.print(), length: () => length }
}

function tokensOf(pointer: string): string[] {
  const tokens = parsePointer(pointer)
  if (!tokens) throw new Failed(`"${pointer}" is not a JSON Pointer`)
  return tokens
}
