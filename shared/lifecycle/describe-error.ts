import { AppError } from '#shared/errors.ts'

/**
 * Why something cannot start, as a sentence for the operator, without a stack. Our own errors say what to do; codes of
 * the operating system are explained here.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Clients do not see the reason, and the operator needs it.
  if (error instanceof AppError && error.reason) return `${error.message.replace(/\.$/, '')} (${error.reason}).`
  const { code, address, port, path } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  const place = path ? ` ${path}` : ''
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${address} is in use by another program; stop it, or choose another port in the configuration.`
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine; choose another host in the configuration.`
    case 'EACCES':
    case 'EPERM':
      if (port !== undefined) return `port ${port} on ${address} requires more privileges; choose one above 1023.`
      return `permission denied${place && ` for${place}`}; check the owner and mode.`
    case 'EROFS':
      return `the file system${place && ` of${place}`} is read-only; mount it for writing, or choose another place.`
    case 'ENOSPC':
      return `there is no space left on the device${place && ` for${place}`}; make room there.`
    case 'SQLITE_FULL':
      return 'there is no space left on the device of the database; make room there.'
    case 'ENOENT':
      return path ? `${path} does not exist.` : error.message
    case 'ENOTDIR':
      return path ? `${path} cannot be used: the part before its last / is a file.` : error.message
    case 'EISDIR':
      // Docker creates a folder for a mounted file that does not exist.
      return path ? `${path} is a folder, and must be a file; replace the folder with the file.` : error.message
    default:
      return error.message
  }
}
