/** Encrypts a message for one browser (RFC 8291), and signs its request (RFC 8292). */
import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose/jwt/sign'
import type { PushKeys } from './push-keys.ts'

const curve = 'prime256v1'
/** Bytes of a record; a push service takes no message that needs a second one. */
const recordSize = 4_096
/** Byte that ends the text of the last record. */
const lastRecord = 2
/** Hours for which a signature is valid; push services accept at most 24. */
const validHours = 12

const decode = (text: string) => Buffer.from(text, 'base64url')

/** The keys that the subscription of a browser contains, in Base64 for addresses. */
export interface BrowserKeys {
  p256dh: string
  auth: string
}

/** Random bytes of one message. */
interface MessageSecrets {
  privateKey: Buffer
  salt: Buffer
}

const newSecrets = (): MessageSecrets => {
  const ecdh = createECDH(curve)
  ecdh.generateKeys()
  return { privateKey: ecdh.getPrivateKey(), salt: randomBytes(16) }
}

/**
 * Encrypts a text so that only the browser of a subscription reads it.
 *
 * @param keys - The keys of the subscription.
 * @param text - The text, at most 3,993 bytes.
 * @param secrets - Random bytes, which no second message may have.
 * @returns The body of the request to the push service, encoded as `aes128gcm`.
 * @throws When a key is no point of the curve.
 */
export function encryptMessage(
  { p256dh, auth }: BrowserKeys,
  text: string,
  { privateKey, salt }: MessageSecrets = newSecrets(),
): Buffer {
  const ecdh = createECDH(curve)
  ecdh.setPrivateKey(privateKey)
  const [receiver, sender] = [decode(p256dh), ecdh.getPublicKey()]
  const derive = (secret: Uint8Array, mixedIn: Uint8Array, use: Uint8Array | string, bytes: number) =>
    new Uint8Array(hkdfSync('sha256', secret, mixedIn, use, bytes))
  const use = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const secret = derive(ecdh.computeSecret(receiver), decode(auth), use, 32)
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
  const sealing = createCipheriv('aes-128-gcm', key, nonce)
  const sealedText = [
    sealing.update(text),
    sealing.update(Buffer.of(lastRecord)),
    sealing.final(),
    sealing.getAuthTag(),
  ]
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  return Buffer.concat([salt, size, Buffer.of(sender.length), sender, ...sealedText])
}

/**
 * Signs a request to a push service, which recognises this installation by it.
 *
 * @param keys - The keys of the installation.
 * @param endpoint - Address of the request.
 * @param contact - Contact of the installation, `https:` or `mailto:`.
 * @returns The header `authorization`.
 */
export async function signRequest(keys: PushKeys, endpoint: string, contact: string): Promise<string> {
  const point = decode(keys.publicKey)
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: keys.privateKey }, format: 'jwk' })
  const token = await new SignJWT({ aud: new URL(endpoint).origin, sub: contact })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setExpirationTime(`${validHours} hours`)
    .sign(key)
  return `vapid t=${token}, k=${keys.publicKey}`
}
