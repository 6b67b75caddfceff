import { isIpv6 } from './ip-addresses.ts'

const atoms = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const quoted = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/

/** Whether a text is the address of a mailbox (RFC 5321, section 4.1.2), with a domain of two labels at least. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
  return (atoms.test(local) || quoted.test(local)) && (isDomain(domain) || isAddressLiteral(domain))
}

/** The same with characters beyond ASCII where a letter may be (RFC 6531, section 3.3). */
export function isInternationalEmail(text: string): boolean {
  return isEmail(text.replace(/[^\p{ASCII}]/gu, 'x'))
}

function isDomain(text: string): boolean {
  const labels = text.split('.')
  return labels.length > 1 && labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i.test(label))
}

/** `[192.0.2.1]`, whose numbers may begin with zeros, or `[IPv6:2001:db8::1]`. */
function isAddressLiteral(text: string): boolean {
  const [, v6, v4] = /^\[(?:IPv6:([0-9a-f:.]+)|(\d{1,3}(?:\.\d{1,3}){3}))\]$/i.exec(text) ?? []
  if (v6 !== undefined) return isIpv6(v6)
  return v4?.split('.').every((number) => Number(number) <= 255) === true
}
