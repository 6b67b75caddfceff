import { type Action, allowEverything, type PermissionRule } from '#shared/domain/access/permission-rule.ts'

type Allowed = Pick<PermissionRule, 'resourceType' | 'listIds'>

const allow = (actions: readonly Action[], rest: Allowed): PermissionRule[] =>
  actions.map((action) => ({ mode: 'allow', action, ...rest }))

/** Rules for the most common purposes of tokens. `lists`: whether they can be restricted to lists. */
export const templates: readonly {
  name: string
  about: string
  lists: boolean
  rules: (listIds: string[] | undefined) => PermissionRule[]
}[] = [
  {
    name: 'Read lists',
    about: 'Views items and lists, changes nothing.',
    lists: true,
    rules: (listIds) =>
      (['list', 'item', 'index'] as const).flatMap((resourceType) =>
        allow(['view'], { resourceType, ...only(listIds) }),
      ),
  },
  {
    name: 'Write without delete',
    about: 'Views, creates and updates items.',
    lists: true,
    rules: (listIds) => [
      ...allow(['view'], { resourceType: 'list', ...only(listIds) }),
      ...allow(['view', 'create', 'update'], { resourceType: 'item', ...only(listIds) }),
    ],
  },
  {
    name: 'App with sign-up and own items',
    about: 'Registers identities and signs them in; each has items of its own.',
    lists: true,
    rules: (listIds) => [
      ...allow(['register', 'authenticate'], { resourceType: 'identity' }),
      ...allow(['create-with-identity', 'view-with-identity', 'update-with-identity', 'delete-with-identity'], {
        resourceType: 'item',
        ...only(listIds),
      }),
    ],
  },
  {
    name: 'Sync the schema',
    about: 'For CI: exports and applies sync documents, deletes nothing.',
    lists: false,
    rules: () => [
      ...allow(['sync-schema', 'view', 'create', 'update'], { resourceType: 'list' }),
      ...allow(['view', 'create', 'update'], { resourceType: 'index' }),
    ],
  },
  { name: 'Everything', about: 'Everything that a token can do.', lists: false, rules: () => [...allowEverything] },
]

const only = (listIds: string[] | undefined) => (listIds ? { listIds } : {})
