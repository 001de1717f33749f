/** What the routes of signing in and out say of themselves (contract §2). */
import { type Descriptions, done, exactly, json, listOf, schemaRef, sessionShape } from '../../http/description.ts'

const group = 'Signing in'
const text = { type: 'string' }
const signedIn = json(exactly({ jwt: text, user: schemaRef('users.Record') }))
const ofBody = ['auth.credential-required', 'validation.text', 'validation.several', 'auth.throttled'] as const
const ofPasswords = ['validation.passwordLength', 'validation.passwordCommon', 'validation.passwordPersonal'] as const
const newPassword = { password: text, passwordConfirmation: text }

export const authDescriptions: Descriptions = {
  'POST /api/auth/local': {
    group,
    id: 'auth.signIn',
    summary: 'Sign in',
    details:
      'Any Authorization header is ignored. With two-step sign-in a right password without `code` answers 422 with `details: {"totp": true}`; a wrong code is refused like a wrong password. 409 `auth.two-step-unreadable` says that this server has not the key that checks the codes of the app; recovery codes work.',
    open: true,
    body: json(
      exactly(
        {
          identifier: { ...text, description: 'E-mail or user name, in any letter case' },
          password: text,
          code: { ...text, description: 'Of the authenticator app, or a recovery code' },
        },
        ['code'],
      ),
    ),
    answers: { 200: signedIn },
    refusals: [
      'auth.credential-required',
      'validation.text',
      'validation.several',
      'auth.invalid-credentials',
      'auth.two-step-needed',
      'auth.two-step-unreadable',
      'auth.throttled',
    ],
  },
  'POST /api/auth/local/register': {
    group,
    id: 'auth.register',
    summary: 'Register oneself',
    details:
      'Own profile fields may come with it; every other key is ignored. The role is always `authenticated`. `confirmed` is false until the link of the letter is used; the account works without it.',
    open: true,
    body: json({
      type: 'object',
      properties: { username: text, email: text, password: text },
      required: ['username', 'email', 'password'],
    }),
    answers: { 200: signedIn },
    refusals: [
      'auth.registration-off',
      'auth.taken',
      'validation.name',
      'validation.email',
      'validation.emailInvalid',
      'validation.emailLength',
      'validation.password',
      'validation.passwordLength',
      'validation.passwordCommon',
      'validation.text',
      'validation.minLength',
      'validation.maxLength',
      'validation.choice',
      'validation.date',
      'validation.relation',
      'validation.relationMissing',
      'validation.several',
      'rule.whole',
      'auth.throttled',
    ],
  },
  'POST /api/auth/forgot-password': {
    group,
    id: 'auth.forgotPassword',
    summary: 'Ask for a letter that sets a new password',
    details: 'Answers the same whether the address belongs to somebody or not.',
    open: true,
    body: json(exactly({ email: text })),
    answers: { 200: done },
    refusals: [...ofBody, 'validation.emailInvalid', 'validation.emailLength'],
  },
  'POST /api/auth/reset-password': {
    group,
    id: 'auth.resetPassword',
    summary: 'Set a new password with the code of a letter',
    details:
      'The code works once, within half an hour. Other sessions end. With two-step sign-in the password is set, no session is opened, and the answer is 422 with `details: {"totp": true}`.',
    open: true,
    body: json(exactly({ code: text, ...newPassword })),
    answers: { 200: signedIn },
    refusals: [...ofBody, ...ofPasswords, 'auth.passwords-differ', 'auth.code', 'auth.two-step-needed'],
  },
  'POST /api/auth/change-email': {
    group,
    id: 'auth.changeEmail',
    ungated: true,
    summary: 'Send a link to a new e-mail address, with the current password',
    details:
      'The account keeps its address until the link is used, within half an hour; the former address is told then. Answers the same for an address that another account has.',
    body: json(exactly({ currentPassword: text, email: text })),
    answers: { 200: done },
    refusals: [
      ...ofBody,
      'validation.email',
      'validation.emailInvalid',
      'validation.emailLength',
      'validation.maxLength',
      'auth.current-password',
    ],
  },
  'GET /api/auth/change-email': {
    group,
    id: 'auth.email',
    ungated: true,
    summary: 'One’s own e-mail address, and the one that waits for its link',
    answers: {
      200: json(
        exactly({
          email: text,
          confirmed: { type: 'boolean' },
          pending: { type: ['string', 'null'], description: 'Equal to `email` while that was never confirmed' },
        }),
      ),
    },
  },
  'POST /api/auth/change-email/resend': {
    group,
    id: 'auth.resendEmailLink',
    ungated: true,
    summary: 'Send the link to the pending address again',
    details: 'The link of the former letter is void.',
    answers: { 200: done },
    refusals: ['auth.email-confirmed', 'auth.throttled'],
  },
  'DELETE /api/auth/change-email': {
    group,
    id: 'auth.cancelEmailChange',
    ungated: true,
    summary: 'Forget the pending address; its link is void',
    answers: { 200: done },
  },
  'POST /api/auth/confirm-email': {
    group,
    id: 'auth.confirmEmail',
    summary: 'Confirm an e-mail address with the code of a letter',
    details:
      'The code works once: within a day for the address of a new account, within half an hour for one that replaces another.',
    open: true,
    body: json(exactly({ code: text })),
    answers: { 200: done },
    refusals: [...ofBody, 'auth.code', 'user.email-taken'],
  },
  'POST /api/auth/change-password': {
    group,
    id: 'auth.changePassword',
    ungated: true,
    summary: 'Set a new password with the current one',
    details: 'This session stays, the others end.',
    body: json(exactly({ currentPassword: text, ...newPassword })),
    answers: { 200: signedIn },
    refusals: [...ofBody, ...ofPasswords, 'validation.passwordMismatch', 'auth.current-password', 'auth.same-password'],
  },
  'POST /api/auth/two-step': {
    group,
    id: 'auth.setUpTwoStep',
    ungated: true,
    summary: 'Make a secret for an authenticator app',
    details:
      'Nothing asks for codes until one is confirmed; asking again replaces the secret. It and the recovery codes are answered only here.',
    body: json(exactly({ password: text })),
    answers: {
      200: json(
        exactly({
          secret: { ...text, description: 'Base32' },
          uri: { ...text, description: 'What the QR code holds' },
          recovery: { ...listOf(text), description: 'Ten codes for a lost app, each for one use' },
        }),
      ),
    },
    refusals: [...ofBody, 'auth.current-password', 'auth.email-unconfirmed', 'auth.two-step-on'],
  },
  'POST /api/auth/two-step/confirm': {
    group,
    id: 'auth.confirmTwoStep',
    ungated: true,
    summary: 'Turn two-step sign-in on with a first code of the app',
    details: 'This session stays, the others end.',
    body: json(exactly({ code: text })),
    answers: { 200: done },
    refusals: [...ofBody, 'auth.two-step-code', 'auth.two-step-on', 'auth.two-step-off'],
  },
  'DELETE /api/auth/two-step': {
    group,
    id: 'auth.turnOffTwoStep',
    ungated: true,
    summary: 'Turn two-step sign-in off',
    details: 'With the password and a code of the app or a recovery code. This session stays, the others end.',
    body: json(exactly({ password: text, code: text })),
    answers: { 200: done },
    refusals: [
      ...ofBody,
      'auth.current-password',
      'auth.two-step-code',
      'auth.two-step-off',
      'auth.two-step-required',
      'auth.two-step-unreadable',
    ],
  },
  'GET /api/auth/two-step': {
    group,
    id: 'auth.twoStep',
    ungated: true,
    summary: 'Whether two-step sign-in is on, and whether one’s role asks for it',
    answers: {
      200: json(
        exactly({
          on: { type: 'boolean' },
          since: { type: ['string', 'null'], format: 'date-time' },
          recovery_left: { type: 'integer', minimum: 0, description: 'Recovery codes that were not used yet' },
          required: { type: 'boolean' },
        }),
      ),
    },
  },
  'POST /api/auth/two-step/recovery': {
    group,
    id: 'auth.renewRecoveryCodes',
    ungated: true,
    summary: 'Make new recovery codes; the old ones are void',
    details: 'With the password and a code of the app or a recovery code. They are answered only here.',
    body: json(exactly({ password: text, code: text })),
    answers: { 200: json(exactly({ recovery: listOf(text) })) },
    refusals: [
      ...ofBody,
      'auth.current-password',
      'auth.two-step-code',
      'auth.two-step-off',
      'auth.two-step-unreadable',
    ],
  },
  'GET /api/auth/sessions': {
    group,
    id: 'auth.sessions',
    ungated: true,
    summary: 'Where one is signed in: this session first, then those seen last',
    answers: { 200: json(exactly({ data: listOf(exactly({ ...sessionShape, current: { type: 'boolean' } })) })) },
  },
  'DELETE /api/auth/sessions/:id': {
    group,
    id: 'auth.endSession',
    ungated: true,
    summary: 'End one of one’s own sessions',
    answers: { 200: done },
    refusals: ['record.not-found'],
  },
  'POST /api/auth/sessions/end-others': {
    group,
    id: 'auth.endOtherSessions',
    ungated: true,
    summary: 'End all of one’s own sessions but this one',
    answers: { 200: json(exactly({ ok: { const: true }, ended: { type: 'integer', minimum: 0 } })) },
  },
  'GET /api/auth/settings': {
    group,
    id: 'auth.settings',
    summary: 'What the screens before signing in have to know',
    open: true,
    answers: {
      200: json(
        exactly({
          registration: { type: 'boolean' },
          password: exactly({ min: { type: 'integer' }, max: { type: 'integer' } }),
        }),
      ),
    },
  },
  'POST /api/auth/logout': {
    group,
    id: 'auth.signOut',
    ungated: true,
    summary: 'End this session',
    answers: { 200: done },
  },
}
