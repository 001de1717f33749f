/**
 * Contracts of signing in and out, of registration, and of the user's own password, e-mail, second step and
 * sessions.
 */
import * as z from 'zod'
import type { ErrorCode } from '../../errors/errors.ts'
import type { Contracts } from './contract.ts'
import {
  dataAnswer,
  declaredSchema,
  okAnswer,
  flatBody,
  flatEntryOf,
  issue,
  localTexts,
  moment,
  session,
  whole,
} from './parts.ts'

const group = 'Signing in'
const signedIn = z.strictObject({ jwt: z.string(), user: flatEntryOf('users') })
const bodyCodes = [
  'auth.credential-required',
  'validation.text',
  'validation.several',
  'auth.throttled',
] as const satisfies readonly ErrorCode[]
const passwordCodes = [
  'validation.passwordLength',
  'validation.passwordCommon',
  'validation.passwordPersonal',
] as const satisfies readonly ErrorCode[]

/** A required text of a sign-in body, accepted exactly as it was sent. */
const credential = (description?: string) =>
  z
    .custom<string>()
    .transform((rawValue: unknown, context): string => {
      if (typeof rawValue === 'string' && rawValue !== '') return rawValue
      const isMissing = rawValue === undefined || rawValue === null || rawValue === ''
      context.issues.push(issue(rawValue, isMissing ? 'auth.credential-required' : 'validation.text'))
      return z.NEVER
    })
    .meta({ type: 'string', ...(description !== undefined && { description }) })

const newPassword = { password: credential(), passwordConfirmation: credential() }
const twoStepProof = flatBody(z.object({ password: credential(), code: credential() }))
const text = declaredSchema<string>({ type: 'string' })

/** The body of a registration; the write path checks the values of the account and its profile. */
const registration = flatBody(z.looseObject({ username: text, email: text, password: text }))

const emailStatus = z.strictObject({
  email: z.string(),
  confirmed: z.boolean(),
  /** E-mail address that waits for confirmation: the user's present address, or a new one. */
  pending: z.string().nullable().describe('Equal to `email` as long as that address was never confirmed'),
})

/** Secret for the authenticator app and recovery codes, which are sent only once. */
const twoStepSetup = z.strictObject({
  secret: z.string().describe('Base32'),
  uri: z.string().describe('Content of the QR code'),
  recovery: z.array(z.string()).describe('Ten codes to use when the app is lost; each works once'),
})

const twoStepStatus = z.strictObject({
  on: z.boolean(),
  since: moment.nullable(),
  recovery_left: whole.describe('Number of unused recovery codes'),
  /** Whether the user's role requires a second step. */
  required: z.boolean(),
})

const settings = z.strictObject({
  registration: z.boolean(),
  password: z.strictObject({ min: z.int(), max: z.int() }),
  name: localTexts.describe('Name of the organisation in each language'),
})

/**
 * Invalid texts in bodies of sign-in and registration are answered with 400, like the fields of an account.
 */
const recordBodyOption = { recordBody: true } as const
const ungatedOptions = { group, ungated: true } as const
const visitors = { group, open: true } as const

export const authRoutes = {
  'POST /api/auth/local': {
    ...visitors,
    ...recordBodyOption,
    id: 'auth.signIn',
    summary: 'Sign in',
    details:
      'Any Authorization header is ignored. With two-step sign-in, a correct password without `code` answers 422 with `details: {"totp": true}`; a wrong code is refused like a wrong password. 409 `auth.two-step-unreadable` means that this server does not have the key for checking codes from the app; recovery codes work.',
    body: flatBody(
      z.object({
        identifier: credential('Email address or user name, in any letter case'),
        password: credential(),
        // Code of the second step of a sign-in. A code that is no text counts as wrong; accounts without a
        // second step ignore it.
        code: declaredSchema<string>({
          type: 'string',
          description: 'Code from the authenticator app, or a recovery code',
        }).optional(),
      }),
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
    ...visitors,
    ...recordBodyOption,
    id: 'auth.register',
    summary: 'Register an account',
    details:
      'The body may also contain fields of the profile; all other keys are ignored. The role is always `authenticated`. `confirmed` is false until the link in the email is used; the account works before that.',
    body: registration,
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
    ...visitors,
    ...recordBodyOption,
    id: 'auth.forgotPassword',
    summary: 'Request an email for setting a new password',
    details: 'The answer is the same whether or not an account has the address.',
    body: flatBody(z.object({ email: credential() })),
    answers: { 200: okAnswer },
    refusals: [...bodyCodes, 'validation.emailInvalid', 'validation.emailLength'],
  },
  'POST /api/auth/reset-password': {
    ...visitors,
    ...recordBodyOption,
    id: 'auth.resetPassword',
    summary: 'Set a new password with the code from an email',
    details:
      'The code works once, within half an hour. Other sessions end. With two-step sign-in, the password is set but no session is opened, and the answer is 422 with `details: {"totp": true}`.',
    body: flatBody(z.object({ code: credential(), ...newPassword })),
    answers: { 200: signedIn },
    refusals: [...bodyCodes, ...passwordCodes, 'auth.passwords-differ', 'auth.code', 'auth.two-step-needed'],
  },
  'POST /api/auth/change-email': {
    ...ungatedOptions,
    ...recordBodyOption,
    id: 'auth.changeEmail',
    summary: 'Send a confirmation link to a new email address; requires the current password',
    details:
      'The account keeps its address until the link is used, within half an hour; the former address is then notified. The answer is the same for an address that another account has.',
    body: flatBody(z.object({ currentPassword: credential(), email: credential() })),
    answers: { 200: okAnswer },
    refusals: [
      ...bodyCodes,
      'validation.email',
      'validation.emailInvalid',
      'validation.emailLength',
      'validation.maxLength',
      'auth.current-password',
    ],
  },
  'GET /api/auth/change-email': {
    ...ungatedOptions,
    id: 'auth.email',
    summary: 'Get the caller’s email address and the pending one',
    answers: { 200: emailStatus },
  },
  'POST /api/auth/change-email/resend': {
    ...ungatedOptions,
    id: 'auth.resendEmailLink',
    summary: 'Send the link to the pending address again',
    details: 'The link in the previous email becomes invalid.',
    answers: { 200: okAnswer },
    refusals: ['auth.email-confirmed', 'auth.throttled'],
  },
  'DELETE /api/auth/change-email': {
    ...ungatedOptions,
    id: 'auth.cancelEmailChange',
    summary: 'Cancel the pending email address; its link becomes invalid',
    answers: { 200: okAnswer },
  },
  'POST /api/auth/confirm-email': {
    ...visitors,
    ...recordBodyOption,
    id: 'auth.confirmEmail',
    summary: 'Confirm an email address with the code from an email',
    details:
      'The code works once: within a day for the address of a new account, within half an hour for an address that replaces another.',
    body: flatBody(z.object({ code: credential() })),
    answers: { 200: okAnswer },
    refusals: [...bodyCodes, 'auth.code', 'user.email-taken'],
  },
  'POST /api/auth/change-password': {
    ...ungatedOptions,
    ...recordBodyOption,
    id: 'auth.changePassword',
    summary: 'Set a new password; requires the current one',
    details: 'This session continues; the others end.',
    body: flatBody(z.object({ currentPassword: credential(), ...newPassword })),
    answers: { 200: signedIn },
    refusals: [
      ...bodyCodes,
      ...passwordCodes,
      'validation.passwordMismatch',
      'auth.current-password',
      'auth.same-password',
    ],
  },
  'POST /api/auth/two-step': {
    ...ungatedOptions,
    ...recordBodyOption,
    id: 'auth.setUpTwoStep',
    summary: 'Create a secret for an authenticator app',
    details:
      'Sign-in requires no code until a first code is confirmed. Another call replaces the secret. The secret and the recovery codes are returned only here.',
    body: flatBody(z.object({ password: credential() })),
    answers: { 200: twoStepSetup },
    refusals: [...bodyCodes, 'auth.current-password', 'auth.email-unconfirmed', 'auth.two-step-on'],
  },
  'POST /api/auth/two-step/confirm': {
    ...ungatedOptions,
    ...recordBodyOption,
    id: 'auth.confirmTwoStep',
    summary: 'Turn on two-step sign-in with a first code from the app',
    details: 'This session continues; the others end.',
    body: flatBody(z.object({ code: credential() })),
    answers: { 200: okAnswer },
    refusals: [...bodyCodes, 'auth.two-step-code', 'auth.two-step-on', 'auth.two-step-off'],
  },
  'DELETE /api/auth/two-step': {
    ...ungatedOptions,
    ...recordBodyOption,
    id: 'auth.turnOffTwoStep',
    summary: 'Turn off two-step sign-in',
    details:
      'Requires the password, and a code from the app or a recovery code. This session continues; the others end.',
    body: twoStepProof,
    answers: { 200: okAnswer },
    refusals: [
      ...bodyCodes,
      'auth.current-password',
      'auth.two-step-code',
      'auth.two-step-off',
      'auth.two-step-required',
      'auth.two-step-unreadable',
    ],
  },
  'GET /api/auth/two-step': {
    ...ungatedOptions,
    id: 'auth.twoStep',
    summary: 'Get whether two-step sign-in is on, and whether the caller’s role requires it',
    answers: { 200: twoStepStatus },
  },
  'POST /api/auth/two-step/recovery': {
    ...ungatedOptions,
    ...recordBodyOption,
    id: 'auth.renewRecoveryCodes',
    summary: 'Create new recovery codes; the old ones become invalid',
    details: 'Requires the password, and a code from the app or a recovery code. The new codes are returned only here.',
    body: twoStepProof,
    answers: { 200: z.strictObject({ recovery: z.array(z.string()) }) },
    refusals: [
      ...bodyCodes,
      'auth.current-password',
      'auth.two-step-code',
      'auth.two-step-off',
      'auth.two-step-unreadable',
    ],
  },
  'GET /api/auth/sessions': {
    ...ungatedOptions,
    id: 'auth.sessions',
    summary: 'List the caller’s sessions: this one first, then the most recently used',
    answers: { 200: dataAnswer(z.array(session.extend({ current: z.boolean() }))) },
  },
  'DELETE /api/auth/sessions/:id': {
    ...ungatedOptions,
    id: 'auth.endSession',
    summary: 'End one of the caller’s sessions',
    answers: { 200: okAnswer },
    refusals: ['record.not-found'],
  },
  'POST /api/auth/sessions/end-others': {
    ...ungatedOptions,
    id: 'auth.endOtherSessions',
    summary: 'End all of the caller’s sessions except this one',
    answers: { 200: z.strictObject({ ok: z.literal(true), ended: whole }) },
  },
  'GET /api/auth/settings': {
    ...visitors,
    id: 'auth.settings',
    summary: 'Get the settings of the sign-in pages',
    answers: { 200: settings },
  },
  'POST /api/auth/logout': {
    ...ungatedOptions,
    id: 'auth.signOut',
    summary: 'End this session',
    answers: { 200: okAnswer },
  },
} as const satisfies Contracts

type Auth = typeof authRoutes
export type EmailStatus = z.output<typeof emailStatus>
export type TwoStepSetup = z.output<typeof twoStepSetup>
export type TwoStepStatus = z.output<typeof twoStepStatus>
export type AuthSettings = z.output<typeof settings>
export type Credentials = z.output<Auth['POST /api/auth/local']['body']>
/** Body with the password and a code of the authenticator app, or a recovery code. */
export type TwoStepProof = z.output<typeof twoStepProof>
export type PasswordReset = z.output<Auth['POST /api/auth/reset-password']['body']>
export type NewPassword = z.output<Auth['POST /api/auth/change-password']['body']>
export type NewEmail = z.output<Auth['POST /api/auth/change-email']['body']>
