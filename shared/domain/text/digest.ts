/**
 * 128 bits that distinguish texts that were not built to collide: where `crypto` is not available, as on pages without https, and one
 * text is added to another. It proves nothing against an author who chooses the texts.
 */
export class TextDigest {
  #a = 0x9e3779b9
  #b = 0x243f6a88
  #c = 0x85a308d3
  #d = 0x13198a2e

  /** Adds a text; where it ends counts. */
  add(text: string): this {
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d]
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n)
      a = Math.imul(a ^ code, 0x01000193)
      b = Math.imul(b ^ code, 0x85ebca6b) ^ (a >>> 15)
      c = Math.imul(c ^ code, 0xc2b2ae35) ^ (b >>> 13)
      d = Math.imul(d ^ code, 0x27d4eb2f) ^ (c >>> 16)
    }
    this.#a = mixed(a ^ d, text.length)
    this.#b = mixed(b, this.#a)
    this.#c = mixed(c, this.#b)
    this.#d = mixed(d, this.#c)
    return this
  }

  /** The digest of what was added so far: 32 hexadecimal digits. */
  get value(): string {
    return [this.#a, this.#b, this.#c, this.#d].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }
}

/** Every bit of both changes about half of the bits. */
function mixed(word: number, other: number): number {
  let mix = word ^ Math.imul(other + 0x7f4a7c15, 0x9e3779b1)
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return mix ^ (mix >>> 16)
}
