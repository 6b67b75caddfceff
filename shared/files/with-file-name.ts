/**
 * The error of a file operation, with the path of the file. The system's error for an open file, such as a folder that is read, does not
 * name it. Other errors stay as they are.
 * @param path as the caller named the file
 */
export function withFileName(error: unknown, path: string): unknown {
  const isOfFile = error instanceof Error && 'syscall' in error && !('address' in error)
  return isOfFile ? Object.assign(error, { path }) : error
}

/** For `catch`: throws the error with the path of the file. */
export function throwNaming(path: string): (error: unknown) => never {
  return (error) => {
    throw withFileName(error, path)
  }
}
