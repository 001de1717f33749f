import { createPublicKey } from 'node:crypto'
import { jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { makePushKeys } from './push-keys.ts'
import { encryptMessage, signRequest } from './push-message.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

describe('a message for a browser', () => {
  it('has the bytes of the example in RFC 8291, section 5', () => {
    const keys = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const secrets = {
      privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
      salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    }
    expect(encryptMessage(keys, 'When I grow up, I want to be a watermelon', secrets).toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr' +
        'u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('differs each time, although the text is the same', () => {
    const keys = { p256dh: makePushKeys().publicKey, auth: 'BTBZMqHH6r4Tts7J_aSIgg' }
    const [first, second] = [encryptMessage(keys, 'A'), encryptMessage(keys, 'A')]
    expect(first.subarray(0, 16).equals(second.subarray(0, 16))).toBe(false)
    expect(first.subarray(21, 86).equals(second.subarray(21, 86))).toBe(false)
  })

  it('refuses a key that is no point of the curve', () => {
    const p256dh = Buffer.alloc(65, 4).toString('base64url')
    expect(() => encryptMessage({ p256dh, auth: 'BTBZMqHH6r4Tts7J_aSIgg' }, 'A')).toThrow('Public key is not valid')
  })
})

describe('the signature of a request to a push service', () => {
  it('names the service and the contact, ends after twelve hours, and fits the public key of the header', async () => {
    const keys = makePushKeys()
    const header = await signRequest(keys, 'https://push.example.org/send/1?a=b', 'mailto:a@example.org')
    const [, token = '', publicKey = ''] = /^vapid t=(.+), k=(.+)$/.exec(header) ?? []
    expect(publicKey).toBe(keys.publicKey)
    const [x, y] = [bytes(publicKey).toString('base64url', 1, 33), bytes(publicKey).toString('base64url', 33)]
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const currentDate = new Date('2026-05-01T00:00:00Z')
    const before = Math.floor(Date.now() / 1_000)
    const { payload, protectedHeader } = await jwtVerify(token, key, { currentDate })
    expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'ES256' })
    const { exp, ...claims } = payload
    expect(claims).toEqual({ aud: 'https://push.example.org', sub: 'mailto:a@example.org' })
    expect(Number(exp) - before).toBeGreaterThan(11 * 3_600)
    expect(Number(exp) - before).toBeLessThan(24 * 3_600)
  })

  it('makes keys of the installation with the lengths that push services expect', () => {
    const { publicKey, privateKey } = makePushKeys()
    expect([bytes(publicKey).length, bytes(publicKey)[0], bytes(privateKey).length]).toEqual([65, 4, 32])
  })
})
