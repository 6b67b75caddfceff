import Joi from 'joi'
import { id, text, time } from './fields.ts'

/** A process that uses the names of an installation on NATS; `database` is its database, without credentials. */
export type Member = { service: string; host: string; database: string; since: number }

/** A question to every process under the same names: whether its database holds the mark that the asker has just written. */
export type Hello = { mark: string; asker: Member }
export type HelloAnswer = { known: boolean; member: Member }

const member = Joi.object<Member, true>({ service: text, host: text, database: text, since: time }).required()

export const hello = Joi.object<Hello, true>({ mark: id, asker: member })

/** The answers to the survey. */
export const installationAnswers = {
  'installation.hello': Joi.object<HelloAnswer, true>({ known: Joi.boolean().required(), member }),
} as const
