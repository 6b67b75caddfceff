import { styleText } from 'node:util'
import { allowsColors } from '#shared/config/environment.ts'
import type { Terminal } from '../terminal/terminal.ts'

export type Color = 'green' | 'yellow' | 'red' | 'cyan' | 'dim' | 'bold'

/** Text in a color, or unchanged. */
export type Paint = (color: Color, text: string) => string

export const plain: Paint = (_color, text) => text

/** Uses colors only on a terminal, and only if they are not turned off. */
export function createPaint({ env }: Pick<Terminal, 'env'>, stream: { isTTY?: boolean }): Paint {
  if (!stream.isTTY || !allowsColors(env)) return plain
  return (color, text) => styleText(color, text, { validateStream: false })
}
