import { type Address, isMapped, parseAddress, unmapped } from './address.ts'

/** A block of addresses of one family, both ends included. */
export type Cidr = { family: 4 | 6; first: bigint; last: bigint }

/** Completes the sentence "must be …" about texts that are to be blocks. */
export const cidrForm = 'addresses or networks such as 10.0.0.0/8'

/**
 * Parses `10.0.0.0/8`, `fd00::/8` or a bare address, which is a block of one. Host bits are ignored: `10.1.2.3/8` is
 * `10.0.0.0/8`, as in an interface's configuration, from which such texts are copied. Null for anything else, and for
 * a block of IPv4-mapped addresses: an IPv4 network has one spelling.
 */
export function parseCidr(text: string): Cidr | null {
  const [head = '', prefix, ...rest] = text.split('/')
  const address = parseAddress(head)
  if (address === null || isMapped(address) || rest.length > 0) return null
  const bits = address.family === 4 ? 32 : 128
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return null
  const length = prefix === undefined ? bits : Number(prefix)
  if (length > bits) return null
  const size = 1n << BigInt(bits - length)
  const first = address.value - (address.value % size)
  return { family: address.family, first, last: first + size - 1n }
}

/**
 * @param name whose networks they are, for the message
 * @throws TypeError for a text that is not a block: if it were ignored, the rule would mean something else
 */
export function parseCidrs(name: string, texts: readonly string[]): Cidr[] {
  return texts.map((text) => {
    const block = parseCidr(text)
    if (block === null) throw new TypeError(`${name}: ${JSON.stringify(text)} is invalid; must be ${cidrForm}`)
    return block
  })
}

/** Whether one of the blocks contains the address. A block of one family contains nothing of the other. */
export function isWithin({ family, value }: Address, blocks: readonly Cidr[]): boolean {
  return blocks.some((block) => block.family === family && value >= block.first && value <= block.last)
}

/**
 * Tests whether a client's address is in one of the networks; false for other text. An IPv4-mapped address is compared as the
 * IPv4 address that it represents, so it is never in an IPv6 network, not even `::/0`.
 * @param name whose networks they are, for the message
 * @throws TypeError for a network that is invalid
 */
export function addressSet(name: string, networks: readonly string[]): (address: string) => boolean {
  const blocks = parseCidrs(name, networks)
  return (text) => {
    const address = parseAddress(text)
    return address !== null && isWithin(unmapped(address), blocks)
  }
}
