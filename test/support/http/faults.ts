import type { Reply } from './client.ts'

type WireFault = { path: string; pointer?: string; message: string; msg: string }

/** The faults that an error answer lists. */
export function faultsOf({ json }: Reply): WireFault[] {
  const details = Object(json?.details) as { errors?: WireFault[] }
  return details.errors ?? []
}

/** Their paths, sorted. */
export function faultPaths(reply: Reply): string[] {
  return faultsOf(reply)
    .map(({ path }) => path)
    .toSorted()
}
