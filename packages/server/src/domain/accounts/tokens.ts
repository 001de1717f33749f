/** Signed tokens that contain only a session's id and its times (checklist §1). */
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import type { SigningKeys } from './signing-key.ts'

// The only signature algorithm of tokens; a token's own header cannot choose another algorithm or key.
const algorithm = 'HS256'
const sessionId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Signs a token for a session.
 *
 * @param keys - The signing keys; the first one signs.
 * @param id - The id of the session.
 * @param expires - The end of the session in seconds since 1970.
 */
export function signToken([key]: SigningKeys, id: string, expires: number): Promise<string> {
  return new SignJWT({ sid: id })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(key)
}

/**
 * Verifies a token.
 *
 * @returns The session's id, or undefined for a token that is forged, expired or from another server.
 */
export async function readToken(keys: SigningKeys, token: string): Promise<string | undefined> {
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        requiredClaims: ['sid', 'iat', 'exp'],
      })
      return typeof payload.sid === 'string' && sessionId.test(payload.sid) ? payload.sid : undefined
    } catch {
      // The token is invalid or not signed with one key: the next key is tried.
    }
  }
  return undefined
}
