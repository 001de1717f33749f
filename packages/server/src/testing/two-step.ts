/** Turns two-step sign-in on for tests that need a user with it. */
import type { FastifyInstance } from 'fastify'
import { TOTP } from 'otpauth'
import { testPassword } from './factories.ts'

interface TwoStepSetup {
  secret: string
  /** Recovery codes for a lost app: each works once, at any time. */
  recovery: string[]
}

/**
 * Sets up and confirms a user's second step, with the session of a token.
 *
 * @throws When it is refused.
 */
export async function turnTwoStepOn(
  app: FastifyInstance,
  token: string,
  password = testPassword,
): Promise<TwoStepSetup> {
  const post = (path: string, payload: object) =>
    app.inject({
      method: 'POST',
      url: `/api/auth/two-step${path}`,
      headers: { authorization: `Bearer ${token}` },
      payload,
    })
  const setupAnswer = (await post('', { password })).json<TwoStepSetup>()
  const { statusCode, body } = await post('/confirm', { code: new TOTP({ secret: setupAnswer.secret }).generate() })
  if (statusCode !== 200) throw new Error(`Two-step sign-in was not turned on: ${body}`)
  return setupAnswer
}
