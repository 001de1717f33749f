/** Subscriptions of browsers for tests, with keys of their own. */
import { createECDH, randomBytes } from 'node:crypto'
import { nextNumber } from './factories.ts'

/** A subscription as a browser writes it. */
export interface TestBrowser {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** Makes the subscription of one more browser. */
export const browserOf = (): TestBrowser => ({
  endpoint: `https://push.example.org/send/${nextNumber()}`,
  keys: {
    p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  },
})
