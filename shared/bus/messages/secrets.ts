import Joi from 'joi'
import { text } from './fields.ts'

/** A question to every process that seals or opens secrets: whether it has this key, by its id. */
export type KeyQuestion = { keyId: string }
export type KeyAnswer = { service: string; instance: string; known: boolean }

export const keyQuestion = Joi.object<KeyQuestion, true>({ keyId: text })

/** The answers to each survey. */
export const secretsAnswers = {
  'secrets.key': Joi.object<KeyAnswer, true>({ service: text, instance: text, known: Joi.boolean().required() }),
} as const
