/**
 * Why something cannot start, as a sentence for the operator, without a stack. Errors that we throw say what to do
 * themselves; the operating system's codes are told here.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, address, port, path } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  const place = path ? ` ${path}` : ''
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${address} is taken by another program; stop it, or choose another port in the configuration.`
    case 'EADDRNOTAVAIL':
      return `${address} is no address of this machine; choose another host in the configuration.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      if (port !== undefined) return `port ${port} on ${address} needs more rights; choose one above 1023.`
      return `there is no right to use${place}; check its owner and mode.`
    case 'ENOSPC':
      return `there is no room left on the device${place && ` for${place}`}.`
    default:
      return error.message
  }
}
