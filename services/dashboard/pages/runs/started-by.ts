import type { FlowRun } from '#client/src/types/flow-resources.ts'
import { type ActorNames, actorName } from '../../parts/events/actors.ts'

/** What started a run without an actor. */
const triggerWords: Readonly<Record<FlowRun['trigger']['type'], string>> = {
  endpoint: 'a request',
  public: 'a request by anybody',
  hand: 'a person',
}

/** Who started a run and how, for example "Ada, by hand" or "token shop". */
export function startedBy({ actor, trigger }: Pick<FlowRun, 'actor' | 'trigger'>, names: ActorNames): string {
  if (!actor) return triggerWords[trigger.type]
  return `${actorName(actor, names)}${trigger.type === 'hand' ? ', by hand' : ''}`
}
