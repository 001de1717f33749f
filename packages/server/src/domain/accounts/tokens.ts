/** Tokens: a session's id and its times, signed; nothing else is ever in them (checklist §1). */
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import type { SigningKeys } from './signing-key.ts'

// The only algorithm; what a token says about its own algorithm or key is not asked.
const algorithm = 'HS256'
const sessionId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Signs a token for a session. In: its id and its end in seconds since 1970. */
export function signToken([key]: SigningKeys, id: string, expires: number): Promise<string> {
  return new SignJWT({ sid: id })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(key)
}

/** Out: the session's id, or undefined for a token that is forged, expired or not ours. */
export async function readToken(keys: SigningKeys, token: string): Promise<string | undefined> {
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        requiredClaims: ['sid', 'iat', 'exp'],
      })
      return typeof payload.sid === 'string' && sessionId.test(payload.sid) ? payload.sid : undefined
    } catch {
      // Not signed with this key, or not valid: the next one.
    }
  }
  return undefined
}
