/** Hands encrypted messages to the push services of browsers. */
import { type ClientRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import type { PushBrowser, PushOutcome } from './browsers.ts'
import { publicLookup } from './public-address.ts'
import type { PushKeys } from './push-keys.ts'
import { encryptMessage, signRequest } from './push-message.ts'

/** Milliseconds for a whole request to a push service. */
const usualTimeout = 10_000
/** Seconds for which a push service stores a message for a browser without a connection. */
const storedSeconds = 4 * 3_600

/** A message to a browser. */
export interface PushMessage {
  /** JSON for the service worker. */
  text: string
  /** Name by which a push service replaces a message that it has not delivered yet. */
  topic: string
}

/**
 * Sends a message to one browser.
 *
 * @returns The answer of its push service; never throws for one.
 */
export type PushTransport = (keys: PushKeys, browser: PushBrowser, message: PushMessage) => Promise<PushOutcome>

/** Sends a request; a redirect is an answer like any other. */
type Request = (address: URL, options: RequestOptions, done: (answer: IncomingMessage) => void) => ClientRequest

interface ServiceParts {
  /** Contact of this installation, for the operators of push services: `https:` or `mailto:`. */
  contact: string
  /** Receives errors of connections, which contain no address of a browser. */
  failed: (error: unknown) => void
  request?: Request
  timeout?: number
}

/** Reads the status of a push service; its text is not read. */
function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'accepted'
  if (status === 404 || status === 410) return 'gone'
  return status === 408 || status === 429 || status >= 500 ? 'failed' : 'refused'
}

/** Makes the transport to push services. */
export function openPushService({
  contact,
  failed,
  request = httpsRequest,
  timeout = usualTimeout,
}: ServiceParts): PushTransport {
  const post = (address: URL, headers: Readonly<Record<string, string>>, body: Buffer): Promise<number> =>
    new Promise((resolve, reject) => {
      const options: RequestOptions = {
        method: 'POST',
        headers,
        agent: false,
        lookup: publicLookup(),
        signal: AbortSignal.timeout(timeout),
      }
      const sentRequest = request(address, options, (answer) => {
        resolve(answer.statusCode ?? 0)
        answer.destroy()
      })
      sentRequest.on('error', reject)
      sentRequest.end(body)
    })

  return async (keys, { endpoint, p256dh, auth }, { text, topic }) => {
    let body: Buffer
    let authorization: string
    try {
      body = encryptMessage({ p256dh, auth }, text)
      authorization = await signRequest(keys, endpoint, contact)
    } catch (error) {
      failed(new Error(`A message for a browser was not encrypted: ${codeOf(error)}`))
      return 'refused'
    }
    const headers = {
      authorization,
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      'content-length': String(body.length),
      ttl: String(storedSeconds),
      topic,
      urgency: 'high',
    }
    try {
      return outcomeOf(await post(new URL(endpoint), headers, body))
    } catch (error) {
      failed(new Error(`A push service was not reached: ${codeOf(error)}`))
      return 'failed'
    }
  }
}

/** Returns the code or name of an error; its message could contain an address. */
const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error && typeof error.code === 'string' ? error.code : error.name) : 'unknown'
