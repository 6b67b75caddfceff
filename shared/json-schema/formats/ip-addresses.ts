const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/** Whether a text is an IPv4 address of four numbers without leading zeros (RFC 2673, section 3.2). */
export function isIpv4(text: string): boolean {
  return ipv4.test(text)
}

/** Of the longest address, with an IPv4 address at its end. */
const maxLength = 45

/** Whether a text is an IPv6 address (RFC 4291, section 2.2), without a zone. */
export function isIpv6(text: string): boolean {
  if (text.length > maxLength) return false
  const halves = text.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1)
  const hasIpv4 = last?.includes('.') === true && !text.endsWith('::')
  if (hasIpv4 && !isIpv4(last)) return false
  const hexadecimal = hasIpv4 ? groups.slice(0, -1) : groups
  if (!hexadecimal.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false
  const count = groups.length + (hasIpv4 ? 1 : 0)
  // Two colons stand for one group of zeros at least.
  return halves.length === 1 ? count === 8 : halves.length === 2 && count <= 7
}
