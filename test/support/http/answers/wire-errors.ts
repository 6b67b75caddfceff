import type { Reply } from '../client.ts'

type WireError = { path: string; pointer?: string; message: string; msg: string }

/** The errors in an error response; each has its sentence under both names. */
export function errorsOf({ json }: Reply): WireError[] {
  const { errors = [] } = Object(json?.details) as { errors?: WireError[] }
  if (errors.some(({ message, msg }) => message !== msg || message === '')) throw new Error('msg must repeat message')
  return errors
}

/** Their paths, sorted. */
export function errorPaths(reply: Reply): string[] {
  return errorsOf(reply)
    .map(({ path }) => path)
    .toSorted()
}
