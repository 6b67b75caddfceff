import { isDay } from '../formats/iso-time.ts'

/**
 * What texts are, recognised more strictly than the formats of draft-07 are validated: a text that has one of them here has it
 * there too. `local-time` is a time without its zone, which no format is.
 */
export type TextFormat = 'date-time' | 'date' | 'email' | 'uri' | 'uuid' | 'local-time'

export const textFormats: readonly TextFormat[] = ['date-time', 'date', 'email', 'uri', 'uuid', 'local-time']

export function hasFormat(text: string, format: TextFormat): boolean {
  // The patterns are quick on texts of this length, whatever is in them.
  return text.length <= maxLength && checks[format](text)
}

const maxLength = 2_048
const maxEmailLength = 254

const checks: Readonly<Record<TextFormat, (text: string) => boolean>> = {
  'date-time': (text) => isTime(dateTime.exec(text)),
  date: (text) => hasDay(date.exec(text)),
  email: (text) => text.length <= maxEmailLength && email.test(text),
  uri: (text) => uri.test(text),
  uuid: (text) => uuid.test(text),
  'local-time': (text) => isTime(localTime.exec(text)),
}

const date = /^(\d{4})-(\d\d)-(\d\d)$/
const dateTime = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/
const localTime = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/
const email = /^[\w+%-]+(?:\.[\w+%-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i
const uri =
  /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?](?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?(?:#(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

function isTime(found: RegExpExecArray | null): boolean {
  const [, , , , hour = 0, minute = 0, second = 0] = found ?? []
  return hasDay(found) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
}

function hasDay(found: RegExpExecArray | null): boolean {
  const [year = 0, month = 0, day = 0] = found?.slice(1, 4).map(Number) ?? []
  return isDay(year, month, day)
}
