/** The topics of hints. */
export const hintTopics = [
  'lists',
  'indexes',
  'items',
  'webhooks',
  'deliveries',
  'flows',
  'flow-runs',
  'tokens',
  'identities',
] as const
export type HintTopic = (typeof hintTopics)[number]

/** A hint that something of a topic has changed in a list, a webhook or a flow, or in several. `more`: there are others in addition to `ids`. */
export type Hint = {
  topic: HintTopic
  listId?: string
  webhookId?: string
  flowId?: string
  ids: string[]
  more?: true
}

/** Maximum ids in one hint. */
export const maxHintIds = 50
/** Maximum lists, webhooks and flows that waiting hints name; beyond it, hints only say that there are more. */
export const maxHints = 500
const ofEvents: Partial<Record<string, HintTopic>> = {
  list: 'lists',
  index: 'indexes',
  item: 'items',
  webhook: 'webhooks',
  flow: 'flows',
  token: 'tokens',
  identity: 'identities',
}

/** The topic of a type of events; undefined: there is no hint of it. */
export function topicOf(type: string): HintTopic | undefined {
  return ofEvents[type.slice(0, type.indexOf('-'))]
}

/** The hints of what a commit has changed in one list; `listId` null: in the account, in no list. */
export function hintsOf({
  listId,
  events,
}: {
  listId: string | null
  events: readonly { type: string; modelId: string | null }[]
}): Hint[] {
  return events.flatMap(({ type, modelId }) => {
    const topic = topicOf(type)
    return topic && modelId !== null ? [{ topic, ...(listId !== null && { listId }), ids: [modelId] }] : []
  })
}

/** Hints that wait to be sent. Hints of the same topic and list are merged. */
export type Hints = {
  add(hint: Hint): void
  isEmpty(): boolean
  /** Removes and returns all waiting hints. */
  take(): Hint[]
}

export function createHints(): Hints {
  let waiting = new Map<string, { hint: Hint; ids: Set<string> }>()
  return {
    add({ topic, ids, more, ...of }) {
      const own = `${topic} ${of.listId ?? of.webhookId ?? of.flowId}`
      const isNamed = waiting.has(own) || waiting.size < maxHints
      const key = isNamed ? own : topic
      const begun: Hint = { topic, ...(isNamed && of), ids: [] }
      const entry = waiting.get(key) ?? { hint: begun, ids: new Set<string>() }
      waiting.set(key, entry)
      if (isNamed) for (const id of ids) if (entry.ids.size < maxHintIds) entry.ids.add(id)
      if (more || ids.some((id) => !entry.ids.has(id))) entry.hint.more = true
    },
    isEmpty: () => waiting.size === 0,
    take() {
      const taken = [...waiting.values()].map(({ hint, ids }) => ({ ...hint, ids: [...ids] }))
      waiting = new Map()
      return taken
    },
  }
}
