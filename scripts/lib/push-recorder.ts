/**
 * Module loaded before the server of a proof: a push service of browsers. Requests to its host are written to a
 * folder and accepted, each under the name by which a push service replaces a repeated message. Nothing else of
 * the server changes, and no request leaves this machine.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

/** Host of the endpoints that test browsers have. */
const host = 'push.example.org'
const folder = join(process.env['DATA_DIR'] ?? '', 'pushed')
mkdirSync(folder, { recursive: true })

interface PushRequest {
  headers: Readonly<Record<string, string>>
}
interface PushAnswer {
  statusCode: number
  destroy: () => void
}

const recordPush = (address: URL, options: PushRequest, done: (answer: PushAnswer) => void): object => {
  if (address.hostname !== host) throw new Error(`A request to ${address.hostname} would leave this machine.`)
  return {
    on: () => undefined,
    end: () => {
      const topic = Object.entries(options.headers).find(([name]) => name.toLowerCase() === 'topic')?.[1] ?? 'none'
      writeFileSync(join(folder, `${topic}.${randomUUID()}`), '')
      setImmediate(done, { statusCode: 201, destroy: () => undefined })
    },
  }
}
Object.assign(https, { request: recordPush })
syncBuiltinESMExports()
