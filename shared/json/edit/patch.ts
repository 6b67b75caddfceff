import { parsePointer } from '../pointer.ts'
import { find, JsonEdit, positionOf } from './edit.ts'

/** An operation of RFC 6902; pointers as they are sent, and `value` as JSON text. */
export type PatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: string }
  | { op: 'copy'; from: string; path: string }
  | { op: 'move'; from: string; path: string }
  | { op: 'remove'; path: string }

/** Why a patch was not applied: the position of the failed operation, and a sentence. */
export class PatchFailed extends Error {
  override readonly name = 'PatchFailed'
  readonly operation: number
  constructor(operation: number, reason: string) {
    super(reason)
    this.operation = operation
  }
}

/** The value became longer than it may be. */
export class PatchTooLong extends PatchFailed {}

/**
 * Applies a patch (RFC 6902), all of it or nothing. What no operation touches stays byte for byte.
 * @param options.maxLength characters that the value may have after any of the operations
 * @returns the text of the changed value
 * @throws PatchFailed; PatchTooLong
 */
export function applyPatch(
  text: string,
  operations: readonly PatchOperation[],
  { maxLength }: { maxLength: number },
): string {
  const document = new Document(new JsonEdit(text), maxCopies * maxLength)
  let n = -1
  try {
    for (const operation of operations) {
      n++
      apply(document, operation)
      if (document.length > maxLength)
        throw new PatchTooLong(n, `would make the value longer than ${maxLength} characters`)
    }
    return document.print()
  } catch (error) {
    if (error instanceof Failed) throw new PatchFailed(n, error.message)
    // Operations can move values into each other until the engine's stack does not suffice to measure or print them.
    if (error instanceof RangeError) throw new PatchFailed(n, 'the value is nested too deeply')
    throw error
  }
}

/** Copies of the longest value that one patch may create: without a bound 1,000 operations could print it 1,000 times. */
const maxCopies = 4

class Failed extends Error {}

function apply(document: Document, operation: PatchOperation): void {
  const { path } = operation
  if (operation.op === 'remove') document.remove(path)
  else if (operation.op === 'copy') document.copy(operation.from, path)
  else if (operation.op === 'move') document.move(operation.from, path)
  else applyValue(document, operation)
}

function applyValue(document: Document, { op, path, value }: Extract<PatchOperation, { value: string }>): void {
  const given = new JsonEdit(value)
  if (op === 'add') document.add(path, given)
  else if (op === 'replace') document.replace(path, given)
  else if (!document.get(path).equals(given)) throw new Failed(`"${path}" has another value`)
}

/** A value that is edited at pointers, and how long it is. */
class Document {
  #root: JsonEdit
  #length: number
  /** Characters that may still be copied. */
  #copies: number

  constructor(root: JsonEdit, maxCopied: number) {
    this.#root = root
    this.#length = root.length
    this.#copies = maxCopied
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

  copy(from: string, path: string): void {
    const text = this.get(from).print()
    this.#copies -= text.length
    if (this.#copies < 0) throw new Failed('the patch copies too much')
    this.add(path, new JsonEdit(text))
  }

  /** The length of what is moved is not counted, which would take as long as printing it. */
  move(from: string, path: string): void {
    if (path.startsWith(`${from}/`)) throw new Failed('a value cannot be moved into itself')
    const moved = this.get(from)
    if (path === from) return
    this.#takeOut(from, 0)
    this.#putIn(path, moved, 0)
  }

  add(pointer: string, value: JsonEdit): void {
    this.#putIn(pointer, value, value.length)
  }

  remove(pointer: string): void {
    this.#takeOut(pointer, this.get(pointer).length)
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

  #putIn(pointer: string, value: JsonEdit, length: number): void {
    if (pointer === '') {
      this.#setRoot(value)
      return
    }
    const { holder, token } = this.#holderOf(pointer)
    if (holder.kind === 'object') {
      const before = holder.members.get(token)?.value
      holder.set(token, value)
      this.#length += length + (before ? -before.length : JSON.stringify(token).length + 2)
      return
    }
    const position = token === '-' ? holder.elements.length : positionOf(token)
    if (position === null || position > holder.elements.length)
      throw new Failed(`"${pointer}" is not a position in an array`)
    holder.elements.splice(position, 0, value)
    this.#length += length + 1
  }

  #takeOut(pointer: string, length: number): void {
    const { holder, token } = this.#holderOf(pointer)
    this.#length -= length + 1
    if (holder.kind === 'array') holder.elements.splice(Number(token), 1)
    else {
      this.#length -= (holder.members.get(token)?.keyText.length ?? 0) + 1
      holder.members.delete(token)
    }
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
      throw new Failed(`"${pointer}" is not in an object or array`)
    return { holder, token }
  }
}

function tokensOf(pointer: string): string[] {
  const tokens = parsePointer(pointer)
  if (!tokens) throw new Failed(`"${pointer}" is not a JSON Pointer`)
  return tokens
}
