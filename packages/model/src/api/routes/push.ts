/** Contracts of the routes that push notices to the browser of a session. */
import * as z from 'zod'
import { isPushEndpoint, maxPushBrowsers } from '../notices.ts'
import type { Contracts } from './contract.ts'
import { data, dataAnswer, okAnswer, spelledValue } from './parts.ts'

/** Schema of a text that matches an expression, in a body. */
const matchingText = (isRight: (text: string) => boolean, code: 'validation.url' | 'validation.text', format: object) =>
  spelledValue<string, string>(
    (rawValue) => (typeof rawValue === 'string' && isRight(rawValue) ? rawValue : undefined),
    code,
    {
      type: 'string',
      ...format,
    },
  )

/** Keys of a subscription as browsers write them: a point of P-256, and 16 bytes, in Base64 for addresses. */
const [publicKey, secret] = [/^B[A-P][\w-]{85}$/, /^[\w-]{22}$/]

const state = z.strictObject({
  /** Public key that the browser subscribes with; null where push is turned off. */
  key: z.string().nullable(),
  subscribed: z.boolean().describe('Whether notices are pushed to the browser of the session'),
})

export const pushRoutes = {
  'GET /api/notices/push': {
    group: 'Inbox',
    id: 'notices.pushState',
    summary: 'Read whether notices are pushed to the browser of the session',
    answers: { 200: dataAnswer(state) },
  },
  'POST /api/notices/push': {
    group: 'Inbox',
    id: 'notices.subscribe',
    summary: 'Push notices to the browser of the session',
    details: `The body has the subscription as browsers write it. It replaces the session’s former one, and ends with the session. A caller has at most ${maxPushBrowsers}; the oldest makes room. The endpoint has https, a host by name and no port.`,
    body: data({
      endpoint: matchingText(isPushEndpoint, 'validation.url', { format: 'uri' }),
      keys: z.object({
        p256dh: matchingText((text) => publicKey.test(text), 'validation.text', { pattern: publicKey.source }),
        auth: matchingText((text) => secret.test(text), 'validation.text', { pattern: secret.source }),
      }),
    }),
    answers: { 200: okAnswer },
    refusals: ['access.denied', 'record.not-found', 'request.unprocessable'],
  },
  'DELETE /api/notices/push': {
    group: 'Inbox',
    id: 'notices.unsubscribe',
    summary: 'Push no more notices to the browser of the session',
    answers: { 200: okAnswer },
  },
} as const satisfies Contracts
