/** Gives the reader a text as a file. @param name of the file */
export function download(content: string | Blob, name: string, type = 'application/json'): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The browser takes what it saves when the click is handled.
  setTimeout(() => URL.revokeObjectURL(link.href))
}
