import type { SignedDeliveries } from '#client/src/types/user-resources.ts'
import { inShell } from '../../parts/copy-as/call-text.ts'

type Signed = SignedDeliveries['deliveries'][number]

/**
 * A delivery as a curl command that sends its exact bytes with freshly signed headers.
 * @param payload exactly as it is signed
 */
export function signedCurl({ url, headers, omitted }: Signed, payload: string): string {
  const lines = [
    `curl ${inShell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...omitted.map((name) => `-H ${inShell(`${name}: `)}"$${variableOf(name)}"`),
    `--data-binary ${inShell(payload)}`,
  ]
  return lines.join(' \\\n  ')
}

/** A header with a hidden value is read from the environment. */
const variableOf = (name: string) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
