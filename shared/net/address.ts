/** IP addresses as numbers. No two spellings of one address differ, and no other text is an address. */

export type Address = { family: 4 | 6; value: bigint }

/**
 * Parses an IPv4 or IPv6 literal (RFC 4291, 2.2). Null for anything else: a zone id (`fe80::1%eth0`), brackets, a port,
 * and the octal, hexadecimal and short forms that only some programs read as IPv4 (`0177.0.0.1`, `0x7f.1`, `127.1`).
 */
export function parseAddress(text: string): Address | null {
  const value4 = parseIpv4(text)
  if (value4 !== null) return { family: 4, value: value4 }
  const value6 = parseIpv6(text)
  return value6 === null ? null : { family: 6, value: value6 }
}

/** Parses the host of a URL, in which an IPv6 literal has brackets; null for a name. */
export function parseHost(host: string): Address | null {
  const bracketed = /^\[(.*:.*)\]$/.exec(host)?.[1]
  return parseAddress(bracketed ?? host)
}

/** Whether it is an IPv4-mapped IPv6 address, `::ffff:192.0.2.1` (RFC 4291, 2.5.5.2). */
export function isMapped({ family, value }: Address): boolean {
  return family === 6 && value >> 32n === 0xffffn
}

/** The IPv4 address inside an IPv4-mapped one; any other address as it is. */
export function unmapped(address: Address): Address {
  return isMapped(address) ? { family: 4, value: address.value & 0xffff_ffffn } : address
}

/** The dotted form of an IPv4 address. */
export function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
}

function parseIpv4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every(isOctet)) return null
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n)
}

function isOctet(text: string): boolean {
  return /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255
}

function parseIpv6(text: string): bigint | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const head = parseGroups(halves[0] ?? '', { mayEndInIpv4: halves.length === 1 })
  const tail = parseGroups(halves[1] ?? '', { mayEndInIpv4: true })
  if (head === null || tail === null) return null
  const omitted = 8 - head.length - tail.length
  if (halves.length === 2 ? omitted < 1 : omitted !== 0) return null
  const groups = [...head, ...new Array<bigint>(omitted).fill(0n), ...tail]
  return groups.reduce((value, group) => value * 65_536n + group, 0n)
}

/** The 16-bit groups of one side of `::`; a dotted IPv4 tail is two groups. */
function parseGroups(text: string, { mayEndInIpv4 }: { mayEndInIpv4: boolean }): bigint[] | null {
  if (text === '') return []
  const groups: bigint[] = []
  const parts = text.split(':')
  for (const [position, part] of parts.entries()) {
    const embedded = mayEndInIpv4 && position === parts.length - 1 && part.includes('.') ? parseIpv4(part) : null
    if (embedded !== null) groups.push(embedded / 65_536n, embedded % 65_536n)
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`))
    else return null
  }
  return groups
}
