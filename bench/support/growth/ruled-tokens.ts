import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { markOf } from './contents.ts'

const view = (where: Record<string, unknown>): PermissionRule => ({
  mode: 'allow',
  action: 'view',
  resourceType: 'item',
  listIds: ['grown'],
  where,
})

/** Whose an item is, a text says: these are the token's, half of them rare ones. */
const mine = Array.from({ length: 8 }, (_, n) => markOf(n * 50))

/** "Published or mine". */
const orMine = (state: string) => [view({ or: [{ state: `eq:${state}` }, { mark: 'in:$token.tags' }] })]

/** Rules with conditions, by the token that has them. Of ten the first decides, so that each of them is evaluated. */
const rulesOf = {
  rareOrMine: orMine('rare'),
  usualOrMine: orMine('usual'),
  oneRule: [{ mode: 'allow', action: 'view', resourceType: 'item', listIds: ['grown'] }],
  tenRules: [
    view({ state: 'in:rare,usual' }),
    ...Array.from({ length: 9 }, (_, n) => view({ era: `eq:none-${n}`, kind: 'eq:common' })),
  ],
} as const satisfies Record<string, PermissionRule[]>

export type RuledToken = keyof typeof rulesOf

/** Creates the tokens. @param create creates one. @returns their values */
export async function createRuledTokens(
  create: (body: {
    name: string
    tags: readonly string[]
    permissions: readonly PermissionRule[]
  }) => Promise<{ value?: string }>,
): Promise<Partial<Record<RuledToken, string>>> {
  const values: Partial<Record<RuledToken, string>> = {}
  for (const [name, permissions] of Object.entries(rulesOf)) {
    values[name as RuledToken] = (await create({ name, tags: mine, permissions })).value ?? ''
  }
  return values
}
