import { readFileSync } from 'node:fs'
import test from 'ava'
import packageFile from '#package.json' with { type: 'json' }
import { stampVersion, versionPlaces } from '../../../scripts/release/version-places.ts'

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
const { version } = packageFile

test('every file that has the version has that of package.json', (t) => {
  for (const file of Object.keys(versionPlaces)) {
    t.is(stampVersion(file, { text: read(file), version }), read(file), `run "make version VERSION=${version}"`)
  }
})

test('a new version is written in each place, and nothing else changes', (t) => {
  for (const [file, { count }] of Object.entries(versionPlaces)) {
    const [before, after] = [read(file), stampVersion(file, { text: read(file), version: '98.7.6-5' })]
    t.is(after.split('98.7.6-5').length - 1, count, file)
    t.is(stampVersion(file, { text: after, version }), before, file)
  }
})

test('a file without the version in its place is named', (t) => {
  const text = read('deploy/helm/listd/Chart.yaml').replace('appVersion', 'appversion')
  t.throws(() => stampVersion('deploy/helm/listd/Chart.yaml', { text, version }), {
    message: 'deploy/helm/listd/Chart.yaml contains the version 1 times; expected 2.',
  })
})
