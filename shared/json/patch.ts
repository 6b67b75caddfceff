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
  const document = new Document(new JsonEdit(text))
  operations.forEach((operation, n) => {
    try {
      apply(document, operation)
    } catch (error) {
      throw error instanceof Failed ? new PatchFailed(n, error.message) : error
    }
    if (document.length > maxLength) throw new PatchFailed(n, `makes the value longer than ${maxLength} characters`)
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

/** A value that is edited at pointers, and how long it is. */
class Document {
  #root: JsonEdit
  #length: number

  constructor(root: JsonEdit) {
    this.#root = root
    this.#length = root.length
  }

  get length(): number {
    return this.#length
  }

  print(): string {
    return this.#root.print()
  }

  get(pointer: string): JsonEdit {
    const found = find(this.#root, tokensOf(pointer))
    if (!found) throw new Failed(`there is nothing at "${pointer}"`)
    return found
  }

  add(pointer: string, value: JsonEdit): void {
    if (pointer === '') {
      this.#setRoot(value)
      return
    }
    const { holder, token } = this.#holderOf(pointer)
    if (holder.kind === 'object') {
      const before = holder.members.get(token)
      holder.set(token, value)
      this.#length += value.length + (before ? -before.value.length : JSON.stringify(token).length + 2)
      return
    }
    const position = token === '-' ? holder.elements.length : positionOf(token)
    if (position === null || position > holder.elements.length) throw new Failed(`"${pointer}" is no place in an array`)
    holder.elements.splice(position, 0, value)
    this.#length += value.length + 1
  }

  remove(pointer: string): JsonEdit {
    const removed = this.get(pointer)
    const { holder, token } = this.#holderOf(pointer)
    this.#length -= removed.length + 1
    if (holder.kind === 'array') holder.elements.splice(Number(token), 1)
    else {
      this.#length -= (holder.members.get(token)?.keyText.length ?? 0) + 1
      holder.members.delete(token)
    }
    return removed
  }

  replace(pointer: string, value: JsonEdit): void {
    const before = this.get(pointer)
    if (pointer === '') {
      this.#setRoot(value)
      return
    }
    const { holder, token } = this.#holderOf(pointer)
    if (holder.kind === 'object') holder.set(token, value)
    else holder.elements[Number(token)] = value
    this.#length += value.length - before.length
  }

  #setRoot(value: JsonEdit): void {
    this.#root = value
    this.#length = value.length
  }

  /** The object or array that holds what the pointer names, and its key or position there. */
  #holderOf(pointer: string): { holder: JsonEdit; token: string } {
    const tokens = tokensOf(pointer)
    const token = tokens.pop()
    const holder = find(this.#root, tokens)
    if (token === undefined || !holder || holder.kind === 'scalar')
      throw new Failed(`nothing can stand at "${pointer}"`)
    return { holder, token }
  }
}

function tokensOf(pointer: string): string[] {
  const tokens = parsePointer(pointer)
  if (!tokens) throw new Failed(`"${pointer}" is not a JSON Pointer`)
  return tokens
}
