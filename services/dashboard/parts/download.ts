/** Downloads a text as a file. @param name of the file */
export function download(content: string | Blob, name: string, type = 'application/json'): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The browser reads the content when it handles the click.
  setTimeout(() => URL.revokeObjectURL(link.href))
}
