import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { needleShape } from './contents.ts'

const view = (where: Record<string, unknown>): PermissionRule => ({
  mode: 'allow',
  action: 'view',
  resourceType: 'item',
  listIds: ['grown'],
  where,
})

/** "Published or mine": the shape of an item names its owner; three items belong to the token, one of them rare. */
const orMine = (state: string) => [view({ or: [{ state: `eq:${state}` }, { shape: 'eq:$token.tags' }] })]

/** Rules with conditions, by their token. Of ten rules the first decides, so that each of them is evaluated. */
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
    values[name as RuledToken] = (await create({ name, tags: [needleShape], permissions })).value ?? ''
  }
  return values
}
