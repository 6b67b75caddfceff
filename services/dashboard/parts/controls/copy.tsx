import { announce } from './announce.tsx'
import { Button } from './button.tsx'

/** Copies a text to the clipboard. @param what begins a sentence, such as "The request id" */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    announce(`${what} was copied.`)
  } catch {
    // Browsers block the clipboard on pages without https.
    announce(`The browser did not allow copying. ${what}: ${text}`, { bad: true })
  }
}

export function CopyButton({ text, what, children }: { text: string; what: string; children?: string }) {
  return children === undefined ? (
    <Button kind="quiet" icon="copy" label={`Copy ${what.toLowerCase()}`} onPress={() => copyText(text, what)} />
  ) : (
    <Button icon="copy" onPress={() => copyText(text, what)}>
      {children}
    </Button>
  )
}

/** The end of an id, and a button that copies all of it. */
export function CopiedId({ id, what }: { id: string; what: string }) {
  return (
    <span class="row">
      <span class="mono">…{id.slice(-12)}</span>
      <CopyButton text={id} what={what} />
    </span>
  )
}

/** A text in mono and a button that copies it. */
export function Copied({ text, what }: { text: string; what: string }) {
  return (
    <span class="row copied">
      <span class="mono">{text}</span>
      <CopyButton text={text} what={what} />
    </span>
  )
}
