const block = 512

/** A file of an archive: its path, at most 100 bytes of ASCII, and its text. */
export type TarFile = { path: string; text: string }

/** A tar archive (POSIX ustar) of files that only their owner may read. @param createdAt epoch milliseconds */
export function tarOf(files: readonly TarFile[], createdAt: number): Buffer {
  const parts = files.flatMap(({ path, text }) => {
    const bytes = Buffer.from(text)
    return [header(path, bytes.length, createdAt), bytes, Buffer.alloc(-bytes.length & (block - 1))]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * block)])
}

/** Numbers are octal digits followed by a NUL; the checksum covers the header, with spaces in place of the checksum. */
function header(path: string, size: number, createdAt: number): Buffer {
  if (!/^[\x21-\x7e]{1,100}$/.test(path)) throw new Error(`${path} cannot be the path of a file in a tar archive.`)
  const bytes = Buffer.alloc(block)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  bytes.write(path, 0)
  bytes.write(octal(0o600, 7) + octal(0, 7) + octal(0, 7), 100)
  bytes.write(octal(size, 11) + octal(Math.floor(createdAt / 1_000), 11) + ' '.repeat(8), 124)
  bytes.write('0', 156)
  bytes.write('ustar\x0000', 257)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${octal(sum, 6)} `, 148)
  return bytes
}
