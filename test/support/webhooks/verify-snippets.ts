import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SignedRequest } from './signed-requests.ts'

/** The program that runs the functions of a language in docs/webhooks/verify.md: it reports for each request whether it is from listd. */
export type SnippetLanguage = {
  /** The required program, with the arguments that print its version; null: this process runs it. */
  program: [name: string, argument: string] | null
  /** @param folder an empty folder @param code a block of the page */
  judge(folder: string, code: string, requests: readonly SignedRequest[]): Promise<boolean[]>
}

/** By the language of the page's blocks. */
export const snippetLanguages: Readonly<Record<string, SnippetLanguage>> = {
  js: {
    program: null,
    async judge(folder, code, requests) {
      const file = join(folder, 'snippet.mjs')
      await writeFile(file, code)
      const { isFromListd } = await import(pathToFileURL(file).href)
      return requests.map(({ secret, headers, body }) => isFromListd(secret, headers, body))
    },
  },
  python: {
    program: ['python3', '--version'],
    async judge(folder, code, requests) {
      await writeFile(join(folder, 'snippet.py'), code)
      return run(folder, ['python3', '-c', pythonCaller], asJson(requests))
    },
  },
  go: {
    program: ['go', 'version'],
    async judge(folder, code, requests) {
      await mkdir(join(folder, 'webhooks'))
      await writeFile(join(folder, 'webhooks/snippet.go'), code)
      await writeFile(join(folder, 'main.go'), goCaller)
      await writeFile(join(folder, 'go.mod'), 'module tour\n')
      return run(folder, ['go', 'run', '.'], asJson(requests))
    },
  },
  php: {
    program: ['php', '--version'],
    async judge(folder, code, requests) {
      await writeFile(join(folder, 'snippet.php'), code)
      return run(folder, ['php', '-r', phpCaller], asJson(requests))
    },
  },
  sh: {
    program: ['openssl', 'version'],
    async judge(folder, code, requests) {
      await Promise.all(requests.map(({ body }, n) => writeFile(join(folder, `${n}`), body)))
      const calls = requests.map(({ secret, headers }, n) => {
        const given = code.includes('X_SERVICE_SIGNATURE') ? ['x-service-signature'] : standardHeaders
        const words = [secret, ...given.map((name) => headers[name] ?? '')].map(quoted).join(' ')
        return `is_from_listd ${words} <${n} && echo true || echo false`
      })
      const script = [code, 'echo "["', calls.join('\necho ,\n'), 'echo "]"'].join('\n')
      return run(folder, ['bash', '-c', script], '')
    },
  },
}

const standardHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

function asJson(requests: readonly SignedRequest[]): string {
  return JSON.stringify(requests.map(({ body, ...request }) => ({ ...request, body: body.toString('hex') })))
}

function run(folder: string, [program = '', ...words]: readonly string[], input: string): boolean[] {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: folder, input, encoding: 'utf8' })
  if (status !== 0) throw error ?? new Error(stderr)
  return JSON.parse(stdout)
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const pythonCaller = `
import json, sys
from snippet import is_from_listd
requests = json.load(sys.stdin)
print(json.dumps([is_from_listd(r["secret"], r["headers"], bytes.fromhex(r["body"])) for r in requests]))
`

const phpCaller = `
require 'snippet.php';
$judge = fn($r) => isFromListd($r['secret'], $r['headers'], hex2bin($r['body']));
echo json_encode(array_map($judge, json_decode(stream_get_contents(STDIN), true)));
`

const goCaller = `package main

import (
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"tour/webhooks"
)

func main() {
	var requests []struct {
		Secret, Body string
		Headers      map[string]string
	}
	json.NewDecoder(os.Stdin).Decode(&requests)
	judged := []bool{}
	for _, request := range requests {
		header := http.Header{}
		for name, value := range request.Headers {
			header.Set(name, value)
		}
		body, _ := hex.DecodeString(request.Body)
		judged = append(judged, webhooks.IsFromListd(request.Secret, header, body))
	}
	json.NewEncoder(os.Stdout).Encode(judged)
}
`
