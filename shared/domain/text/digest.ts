/**
 * A 128-bit incremental digest of texts, for use without `crypto`, as on pages without https. Not secure against texts that are chosen to
 * collide.
 */
export class TextDigest {
  #a = 0x9e3779b9
  #b = 0x243f6a88
  #c = 0x85a308d3
  #d = 0x13198a2e

  /** Adds a text. The boundaries between texts are part of the digest. */
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

/** Mixes two words: each input bit affects about half of the output bits. */
function mixed(word: number, other: number): number {
  let mix = word ^ Math.imul(other + 0x7f4a7c15, 0x9e3779b1)
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return mix ^ (mix >>> 16)
}
