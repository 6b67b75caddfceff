import test from 'ava'
import {
  fromLocalTime,
  isDay,
  joinTime,
  splitTime,
  toLocalTime,
  zoneAt,
} from '#services/dashboard/pages/item/form/rules/times.ts'

test("a time is shown in the viewer's time zone and returns as the same instant", (t) => {
  for (const iso of ['2026-11-28T18:00:00Z', '2026-02-28T23:59:30+09:00', '1999-12-31t23:00:00.000z']) {
    const local = toLocalTime(iso)
    t.regex(local ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/)
    t.is(Date.parse(fromLocalTime(local ?? '') ?? ''), Date.parse(iso.toUpperCase()))
  }
  t.regex(fromLocalTime('2026-11-28T18:00') ?? '', /^2026-11-2[789]T\d\d:\d\d:00Z$/)
})

test('values that no picker can show are left to a text field', (t) => {
  for (const text of ['', 'tomorrow', '2026-11-28', '2026-11-28T18:00', '2026-13-01T00:00:00Z', '0001-01-01T00:00:00Z'])
    t.is(toLocalTime(text), null, text)
  for (const picked of ['', '0002-12-31T20:00']) t.is(fromLocalTime(picked), null)
  t.true(isDay('2026-02-28'))
  for (const text of ['', '2026-2-28', '2026-13-01', '0000-01-01', '28.02.2026']) t.false(isDay(text), text)
})

test('a time of day keeps its offset, and is in UTC if it had none', (t) => {
  t.deepEqual(splitTime('18:30:00+02:00'), { time: '18:30:00', offset: '+02:00' })
  t.deepEqual(splitTime('18:30'), { time: '18:30', offset: '' })
  for (const text of ['25:00', '', '18:30:00.5Z']) t.is(splitTime(text), null)
  t.is(joinTime('18:30', ''), '18:30:00Z')
  t.is(joinTime('18:30:15', '+02:00'), '18:30:15+02:00')
})

test('the zone of the viewer has a name', (t) => t.regex(zoneAt(0), /\S/))
