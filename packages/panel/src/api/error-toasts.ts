/** Maps a failed call to the message that the user sees (requirements §8, contract §1). */
import { labelOfCode, type MessageId } from '@dala/model'
import { hasMessage, t } from '../lib/i18n.ts'
import { ApiError } from './api-error.ts'

export interface ErrorNotice {
  title: string
  text: string
}

const titleOfStatus: Readonly<Record<number, MessageId>> = {
  401: 'error.401.title',
  403: 'error.403.title',
  404: 'error.404.title',
  422: 'error.422.title',
  429: 'error.429.title',
  500: 'error.500.title',
}

/** Context of the call: the sign-in page, another page before signing in, or the panel. */
export type ErrorPlace = 'login' | 'account' | 'panel'

const badRequestTitles: Readonly<Record<ErrorPlace, MessageId>> = {
  login: 'error.400.title',
  account: 'error.400.invalid',
  panel: 'error.400.neutral',
}

/** Message of a failed call: translated when its error code is known, else as the server sent it. */
export function messageOfError(error: ApiError): string {
  const label = error.code === undefined ? undefined : labelOfCode(error.code)
  return label !== undefined && hasMessage(label) ? t(label, messageParamsOf(error)) : error.message
}

/** The values of an error message: counts and names from its details, limits of its field. */
function messageParamsOf({ details, params, issues }: ApiError): Record<string, string | number> {
  const entries = Object.entries({ ...details, ...params, ...issues[0]?.params })
  return Object.fromEntries(
    entries.filter(
      (pair): pair is [string, string | number] => typeof pair[1] === 'string' || typeof pair[1] === 'number',
    ),
  )
}

interface PersonCard {
  username: string
  first_name?: string | null
  last_name?: string | null
}

function isPerson(value: unknown): value is PersonCard {
  return typeof value === 'object' && value !== null && 'username' in value && typeof value.username === 'string'
}

/** Name of a person on a card: first name and surname, else the user name (contract §11). */
export function nameOfCard({ first_name, last_name, username }: PersonCard): string {
  return [first_name, last_name].filter(Boolean).join(' ') || username
}

/** The name of a value that may be a person's card; undefined for anything else. */
export const nameOfPerson = (value: unknown): string | undefined => (isPerson(value) ? nameOfCard(value) : undefined)

/** Message of any failed call, for screens that show it in place. */
export function messageOfFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return t('error.unknown.message')
  // The error of a chat room that is already taken names the colleague who was faster (contract §11).
  const { owner } = error.details
  if (error.code === 'desk.taken' && isPerson(owner)) return t('error.desk.taken', { name: nameOfCard(owner) })
  if (error.status > 0) return messageOfError(error) || t('error.unknown.message')
  return t(error.unansweredReason === 'timeout' ? 'error.timeout.message' : 'error.network.message')
}

/**
 * Returns the toast for a failed call of the API. Statuses that are not in the table have none: the calling
 * screen shows them itself.
 *
 * @param screen - Where the call failed: on the pages before signing in, a 400 is about e-mail and password
 *   (contract §1).
 * @returns The toast, or null when none is shown.
 */
export function noticeOfError(error: ApiError, screen: ErrorPlace): ErrorNotice | null {
  if (error.unansweredReason === 'timeout') return { title: t('error.timeout.title'), text: t('error.timeout.message') }
  if (error.unansweredReason === 'network') return { title: t('error.network.title'), text: t('error.network.message') }
  if (error.status === 400) {
    return { title: t(badRequestTitles[screen]), text: messageOfError(error) }
  }
  const title = titleOfStatus[error.status]
  return title ? { title: t(title), text: messageOfError(error) } : null
}
